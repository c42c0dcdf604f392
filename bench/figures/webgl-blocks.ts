/** The tables of the WebGL ladder in the documentation: one for each renderer that was measured. */

import type { BenchmarkRecord, Measured, Row } from '../src/record.ts'
import { scientific, threeDigits } from '../src/report/format.ts'
import { isBusy, machineText } from '../src/report/heading.ts'
import { markdownTable } from '../src/report/markdown-table.ts'
import { groups, type MeasuredRow, measured } from '../src/report/series.ts'

const head = [
  'context, points',
  '`naive`',
  '`expert`',
  '`texture-loop`',
  'upload, compute, readback',
  'times `naive`',
  'times `expert`',
  'errors, in that order',
  'bound',
]

const rungs = ['naive', 'expert', 'texture-loop'] as const

export function webglLadder({ machine, environments, rows, date, command }: BenchmarkRecord, link: string): string {
  const busy = isBusy(machine) ? ` The machine was busy: load ${machine.load}.` : ''
  const where = `${machineText(machine)}, ${environments[0]?.name}, ${date.slice(0, 10)}`
  const source = `${rows[0]?.contender.device}; ${where}: \`${command}\`, in [the record](${link}).${busy} Milliseconds, medians.`
  const lines = groups(measured(rows), (row) => `${contextOf(row)}, ${row.problem.targets}`)
  return `${source}\n\n${markdownTable(head, [...lines].map(line))}`
}

const contextOf = ({ contender }: Row): string => contender.name.split(', ')[1] ?? ''

/** One context at one size. @throws RangeError if a rung is missing: half a measurement is not quoted */
function line([name, rows]: readonly [string, readonly MeasuredRow[]]): readonly string[] {
  const [naive, expert, tuned] = rungs.map((rung) => {
    const row = rows.find(({ contender }) => contender.variant === rung)
    if (!row) throw new RangeError(`the ladder expected a figure of ${rung} for ${name}`)
    return row.outcome
  }) as [Measured, Measured, Measured]
  const times = (other: Measured) => (other.call.median / tuned.call.median).toFixed(2)
  const { parts, error } = tuned
  return [
    name,
    ...[naive, expert, tuned].map(({ call }) => threeDigits(call.median)),
    parts ? [parts.upload, parts.compute, parts.readback].map(({ median }) => threeDigits(median)).join(', ') : '',
    times(naive),
    times(expert),
    [naive, expert, tuned].map(({ error }) => scientific(error.max)).join(', '),
    scientific(error.bound ?? 0),
  ]
}
