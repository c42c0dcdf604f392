/** A transfer record as terminal tables: the parts of a call, and the gain over plain JavaScript with and without them. */

import type { BenchmarkRecord, Row } from '../record.ts'
import { duration, threeDigits } from './format.ts'
import { heading, shortName } from './heading.ts'
import { type MeasuredRow, measured } from './series.ts'
import { kindOf, nameOf, problemsOf, refusals, tableOf, titleOf } from './tables.ts'

const note = `upload, compute, readback: medians by the program's own account; what a device cannot tell apart is in compute.
rest: the remainder of the call. x JS: times the plain JavaScript loop, whole calls and computation alone.
Compiling came before, once.`

export function transfers(record: BenchmarkRecord): string {
  const sections = problemsOf(record.rows).map((rows) =>
    [titleOf(rows), table(rows), refusals(rows)].filter(Boolean).join('\n'),
  )
  return [heading(record), ...sections, note].join('\n\n')
}

function table(rows: readonly Row[]): string {
  const found = measured(rows)
  const yardstick = found.find(({ contender }) => contender.rival)?.outcome.call.median
  const gain = (milliseconds: number) => (yardstick === undefined ? '' : threeDigits(yardstick / milliseconds))
  const made = tableOf(
    ['contender', 'in', 'on', 'compile', 'upload', 'compute', 'readback', 'rest', 'call', 'x JS', 'x JS, compute'],
    'lllrrrrrrrr',
  )
  for (const { contender, environment, outcome } of found.toSorted(bySpeed)) {
    const { call, parts } = outcome
    const [upload, compute, readback] = [parts?.upload.median, parts?.compute.median, parts?.readback.median]
    const known = [upload, compute, readback].flatMap((part) => part ?? [])
    const rest = Math.max(0, call.median - known.reduce((total, part) => total + part, 0))
    const shown = [parts?.compile, upload, compute, readback, parts && rest]
    made.push([
      nameOf(contender),
      shortName(environment),
      kindOf(contender),
      ...shown.map((part) => (part === undefined ? '' : duration(part))),
      duration(call.median),
      gain(call.median),
      gain(compute || call.median),
    ])
  }
  return made.toString()
}

const bySpeed = (a: MeasuredRow, b: MeasuredRow): number => a.outcome.call.median - b.outcome.call.median
