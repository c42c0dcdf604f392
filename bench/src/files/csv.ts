/** Points from CSV text: a line of column names with `x`, `y` and, in 3-D, `z`, then one line of numbers for each point. */

import { CsvError, parse } from 'csv-parse/browser/esm/sync'
import type { PointsFile } from '../problem.ts'

/** @throws Error with the fault and its line */
export function pointsFromCsv(text: string, name: string): PointsFile {
  const [head = [], ...lines] = table(text)
  const axes = ['x', 'y', 'z'].filter((axis) => head.includes(axis))
  if (!head.includes('x') || !head.includes('y'))
    throw new Error(`expected a first line with columns x, y and perhaps z, got "${head.join(',').slice(0, 60)}"`)
  if (new Set(head).size < head.length) throw new Error(`expected columns of different names, got "${head.join(',')}"`)
  if (head.includes('position'))
    throw new Error('expected positions in columns x, y and perhaps z, got a column "position"')
  if (lines.length === 0) throw new Error('expected at least one point, got none')
  const columns = head.map((column, c) => [column, lines.map((line, n) => numberAt(line[c], n + 2, column))] as const)
  const byName = Object.fromEntries(columns)
  const position = lines.flatMap((_, n) => axes.map((axis) => byName[axis]?.[n] ?? 0))
  const attributes = columns.filter(([column]) => !axes.includes(column))
  return { name, dimension: axes.length === 3 ? 3 : 2, arrays: { position, ...Object.fromEntries(attributes) } }
}

function table(text: string): readonly (readonly string[])[] {
  try {
    return parse(text, { bom: true, comment: '#', skip_empty_lines: true, trim: true })
  } catch (error) {
    if (error instanceof CsvError) throw new Error(`is not a table of comma-separated values: ${error.message}`)
    throw error
  }
}

function numberAt(cell: string | undefined, line: number, column: string): number {
  const value = Number(cell)
  // Points are stored in float32.
  if (!cell || !Number.isFinite(Math.fround(value)))
    throw new Error(
      `expected a number below 3.4e38 in column ${column} of row ${line}, got "${(cell ?? '').slice(0, 30)}"`,
    )
  return value
}
