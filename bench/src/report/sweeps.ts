/** A sweep as terminal tables, in the manner of the CUDA and OpenCL papers: one size down, variants across. */

import type { BenchmarkRecord, Row } from '../record.ts'
import { withPrefix } from './format.ts'
import { heading } from './heading.ts'
import { groups } from './series.ts'
import { kindOf, type MeasuredRow, measured, refusals, tableOf, termsOf, titleOf } from './tables.ts'

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
  const [best] = found.toSorted((a, b) => rateOf(b) - rateOf(a))
  if (!best) return [title, refusals(rows)].join('\n')
  const tables = [
    ...groups(
      found.filter(({ contender }) => contender.sizes),
      shapeOf,
    ).values(),
  ].map((part) => (part.length > 1 ? grid(part, best) : ''))
  return [
    `${title}, on a ${kindOf(best.contender)}, ${termsOf(first)} per second, * the best`,
    ...tables,
    plain(
      found.filter((row) => !row.contender.sizes),
      best,
    ),
    `Best: ${describe(best)}, ${withPrefix(rateOf(best))} ${termsOf(first)}/s`,
    refusals(rows),
  ]
    .filter(Boolean)
    .join('\n')
}

const rateOf = ({ outcome }: MeasuredRow): number => outcome.interactionsPerSecond

/** Rows that vary the same sizes belong to one table; those with two sizes, to one of their variant. */
function shapeOf({ contender: { variant, sizes = {} } }: MeasuredRow): string {
  const names = Object.keys(sizes)
  return names.length > 1 ? `${variant} ${names.join()}` : names.join()
}

/** One size down; across, the variant, or the second size of the one variant. */
function grid(rows: readonly MeasuredRow[], best: MeasuredRow): string {
  const [down = '', across] = Object.keys(rows[0]?.contender.sizes ?? {})
  const columnOf = ({ contender: { variant = '', sizes = {} } }: MeasuredRow) =>
    across === undefined ? variant : `${across} ${sizes[across]}`
  const lineOf = ({ contender: { sizes = {} } }: MeasuredRow) => sizes[down] ?? 0
  const columns = [...new Set(rows.map(columnOf))]
  const lines = [...new Set(rows.map(lineOf))].toSorted((a, b) => a - b)
  const head = across === undefined ? down : `${rows[0]?.contender.variant}, ${down}`
  const table = tableOf([head, ...columns], `r${'r'.repeat(columns.length)}`)
  for (const line of lines)
    table.push([
      line,
      ...columns.map((column) => {
        const row = rows.find((row) => lineOf(row) === line && columnOf(row) === column)
        return row ? `${row === best ? '* ' : ''}${withPrefix(rateOf(row))}` : ''
      }),
    ])
  return table.toString()
}

/** Variants without sizes, and what the backend chooses by itself. */
function plain(rows: readonly MeasuredRow[], best: MeasuredRow): string {
  if (rows.length === 0) return ''
  const table = tableOf(['loop', 'rate'], 'lr')
  for (const row of rows.toSorted((a, b) => rateOf(b) - rateOf(a)))
    table.push([row.contender.variant ?? '', `${row === best ? '* ' : ''}${withPrefix(rateOf(row))}`])
  return table.toString()
}

function describe({ contender: { variant, sizes = {} } }: MeasuredRow): string {
  const list = Object.entries(sizes).map(([name, size]) => `${name} ${size}`)
  return list.length > 0 ? `${variant} (${list.join(', ')})` : (variant ?? '')
}
