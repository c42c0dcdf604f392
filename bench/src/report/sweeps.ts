/** A sweep as terminal tables, in the manner of the CUDA and OpenCL papers: one size down, variants across. */

import type { BenchmarkRecord, Row } from '../record.ts'
import { kindOf } from './columns.ts'
import { withPrefix } from './format.ts'
import { heading } from './heading.ts'
import { groups, type MeasuredRow, measured, ranked, rateOf } from './series.ts'
import { termsOf } from './subject.ts'
import { textTable, titleOf } from './tables.ts'

export function sweeps(record: BenchmarkRecord): string {
  const keyOf = ({ environment, contender, problem }: Row) => JSON.stringify([environment, contender.name, problem])
  const sections = [...groups(record.rows, keyOf).values()].map(section)
  return [heading(record), ...sections].join('\n\n')
}

/** All tables of one backend on one problem; the best of all of them is marked. */
function section(rows: readonly Row[]): string {
  const [first] = rows
  const found = measured(rows)
  if (!first) return ''
  const title = `${first.contender.name} in ${first.environment}: ${titleOf(rows)}`
  const [best] = ranked(rows)
  if (!best) return [title, leftOut(rows)].join('\n')
  const varied = found.filter((row) => sizesOf(row).length > 0)
  const tables = [...groups(varied, shapeOf).values()].map((part) => grid(part, best))
  return [
    `${title}, on a ${kindOf(best.contender)}, ${termsOf(first)} per second, * the best`,
    ...tables,
    plain(
      found.filter((row) => !varied.includes(row)),
      best,
    ),
    `Best: ${describe(best)}, ${withPrefix(rateOf(best))} ${termsOf(first)}/s`,
    leftOut(rows),
  ]
    .filter(Boolean)
    .join('\n')
}

const sizesOf = ({ contender }: Row): readonly (readonly [string, number])[] => Object.entries(contender.sizes ?? {})

/** The plans without a figure, one line for each reason. */
function leftOut(rows: readonly Row[]): string {
  const refused = rows.flatMap((row) => ('refused' in row.outcome ? [{ row, reason: row.outcome.refused }] : []))
  const byReason = [...groups(refused, ({ reason }) => reason)]
  return byReason
    .map(([reason, same]) => {
      const shown = same.slice(0, 3).map(({ row }) => describe(row))
      const more = same.length > shown.length ? ` and ${same.length - shown.length} more` : ''
      return `No figure for ${shown.join(', ')}${more}: ${reason}`
    })
    .join('\n')
}

/** Rows that vary the same sizes belong to one table. Rows with two sizes belong to the table of their variant. */
function shapeOf(row: MeasuredRow): string {
  const names = sizesOf(row).map(([name]) => name)
  return names.length > 1 ? `${row.contender.variant} ${names.join()}` : names.join()
}

/** One size down and, across, the variants or the second size of the one variant. */
function grid(rows: readonly MeasuredRow[], best: MeasuredRow): string {
  const [[down] = [''], [across] = [undefined]] = rows[0] ? sizesOf(rows[0]) : []
  const sizeOf = (row: Row, size: string) => row.contender.sizes?.[size] ?? 0
  const columnOf = (row: Row) =>
    across === undefined ? (row.contender.variant ?? '') : `${across} ${sizeOf(row, across)}`
  const columns = [...new Set(rows.map(columnOf))]
  const lines = [...new Set(rows.map((row) => sizeOf(row, down)))].toSorted((a, b) => a - b)
  const head = across === undefined ? down : `${rows[0]?.contender.variant}, ${down}`
  const filled = lines.map((line) => [
    line,
    ...columns.map((column) => {
      const row = rows.find((row) => sizeOf(row, down) === line && columnOf(row) === column)
      return row ? marked(row, best) : ''
    }),
  ])
  return textTable([head, ...columns], `r${'r'.repeat(columns.length)}`, filled)
}

/** Plans without sizes, and the backend's own choice. */
function plain(rows: readonly MeasuredRow[], best: MeasuredRow): string {
  if (rows.length === 0) return ''
  return textTable(
    ['loop', 'rate'],
    'lr',
    ranked(rows).map((row) => [describe(row), marked(row, best)]),
  )
}

const marked = (row: MeasuredRow, best: MeasuredRow): string => `${row === best ? '* ' : ''}${withPrefix(rateOf(row))}`

function describe(row: Row): string {
  const { variant, sizes } = row.contender
  // A row has the requested sizes, or none.
  if (sizes === undefined) return `its own choice, ${variant}`
  const list = sizesOf(row).map(([name, size]) => `${name} ${size}`)
  return list.length > 0 ? `${variant} (${list.join(', ')})` : (variant ?? '')
}
