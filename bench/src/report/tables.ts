/** Records as tables of contenders, for the terminal and as Markdown. */

import { fittedTable, naturalWidth } from '../../../examples/main-job/fitted-table.ts'
import type { BenchmarkRecord, Row } from '../record.ts'
import { factColumns, figureColumns } from './columns.ts'
import { heading } from './heading.ts'
import { markdownTable } from './markdown-table.ts'
import { lawsIn, refusalsOf, sizesIn } from './refusals.ts'
import { remarks } from './remarks.ts'
import { groups, lawKey, type MeasuredRow, problemKey, ranked } from './series.ts'
import { sized } from './subject.ts'

/** Every contender's row, problem by problem, the fastest first; then those without a figure, with the reason. */
export function comparison(record: BenchmarkRecord): string {
  const sections = problemsOf(record.rows).map((rows) => {
    const { head, aligns, lines } = ranking(record, ranked(rows))
    const table = lines.length === 0 ? noFigure : fitted(head, aligns, lines, spare)
    return [titleOf(rows), ...remarks(rows), table, refusals(rows)].filter(Boolean).join('\n')
  })
  return [heading(record), ...sections, notes[record.kind]].filter(Boolean).join('\n\n')
}

/** The same for an issue or a message: every column, whatever the width. */
export function markdown(record: BenchmarkRecord): string {
  const sections = problemsOf(record.rows).flatMap((rows) => {
    const { head, lines } = ranking(record, ranked(rows))
    const table = lines.length === 0 ? noFigure : markdownTable(head, lines)
    const below = [...remarks(rows), refusals(rows)].filter(Boolean).join('\n').replaceAll('\n', '  \n')
    return [`**${titleOf(rows)}**`, table, below].filter(Boolean)
  })
  return [markdownHeading(record), ...sections].join('\n\n')
}

/** The machine, the devices and the command as a list. */
export function markdownHeading(record: BenchmarkRecord): string {
  const lines = [...heading(record).split('\n'), `\`${record.command}\`, ${record.date.slice(0, 10)}`]
  return lines.map((line) => `- ${line}`).join('\n')
}

export const noFigure = 'No figure for any contender.'

const notes: Readonly<Partial<Record<BenchmarkRecord['kind'], string>>> = {
  transfer: `upload, compute, readback: medians by the program's own account; what a device cannot tell apart is in compute.
x JavaScript: times the plain JavaScript loop, whole calls and computation alone. Compiling came before, once.`,
  rivals: 'C is timed inside its own process, the loop alone. Where nothing else is said, numbers are float32.',
}

interface Ranking {
  readonly head: readonly string[]
  readonly aligns: string
  readonly lines: readonly (readonly string[])[]
}

function ranking(record: BenchmarkRecord, among: readonly MeasuredRow[]): Ranking {
  const columns = [...factColumns(among), ...figureColumns(record, among)]
  return {
    head: columns.map(({ head }) => head),
    aligns: columns.map(({ number }) => (number ? 'r' : 'l')).join(''),
    lines: among.map((row) => columns.map(({ cell }) => cell(row, among))),
  }
}

/** The columns that a narrow terminal leaves out, in this order. */
const spare = ['loop', 'quartiles', 'allowed', 'of our best', 'threads', 'compile']

/** Leaves out spare columns until the table fits the terminal. */
function fitted(
  head: readonly string[],
  aligns: string,
  lines: readonly (readonly string[])[],
  [next, ...rest]: readonly string[],
  left: readonly string[] = [],
): string {
  if (next !== undefined && naturalWidth([head, ...lines]) > terminalWidth()) {
    const kept = <T>(list: Iterable<T>): T[] => [...list].filter((_, n) => head[n] !== next)
    return fitted(
      kept(head),
      kept(aligns).join(''),
      lines.map(kept),
      rest,
      head.includes(next) ? [...left, next] : left,
    )
  }
  const text = textTable(head, aligns, lines)
  return left.length === 0 ? text : `${text}\nA wider terminal, and --html, also show: ${left.join(', ')}.`
}

/** Why rows have no figure, with the laws and the sizes if there are several. */
export function refusals(rows: readonly Row[]): string {
  const several = new Set(rows.map(({ problem }) => problem.targets)).size > 1
  const laws = groups(rows, lawKey).size > 1
  const lines = refusalsOf(rows).map((refusal) => {
    const names = [...new Set(refusal.rows.map(({ contender }) => contender.name))]
    const about = `${laws ? `, ${lawsIn(refusal)}` : ''}${several ? ` at ${sizesIn(refusal)}` : ''}`
    const where = `${refusal.rows[0]?.environment}${about}`
    return `No figure for ${names.join('; ')} in ${where}: ${refusal.reason}`
  })
  return lines.join('\n')
}

const problemsOf = (rows: readonly Row[]): readonly (readonly Row[])[] => [...groups(rows, problemKey).values()]

export const titleOf = ([row]: readonly Row[]): string => (row ? `${sized(row)}, ${row.problem.dimension}-D` : '')

/** Without a terminal, as in a file, lines may have any length. */
const terminalWidth = (): number => process.stdout.columns ?? Infinity

/** A table for the terminal; `l` and `r` align its columns. */
export const textTable = (
  head: readonly string[],
  aligns: string,
  lines: readonly (readonly (string | number)[])[],
): string =>
  fittedTable(
    head,
    [...aligns].map((align) => (align === 'r' ? 'right' : 'left')),
    lines.map((line) => line.map(String)),
    terminalWidth(),
  )
