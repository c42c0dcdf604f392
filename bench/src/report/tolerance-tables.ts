/** Sums with a tolerance as tables for the terminal and as Markdown. */

import type { BenchmarkRecord } from '../record.ts'
import { heading } from './heading.ts'
import { markdownTable } from './markdown-table.ts'
import { markdownHeading, noFigure, refusals, textTable } from './tables.ts'
import { callsWithTolerance, toleranceHead, toleranceLines } from './tolerances.ts'

export const toleranceTable = (record: BenchmarkRecord): string =>
  joined(
    heading(record),
    textTable(toleranceHead, 'lllrrrrrr', toleranceLines(callsWithTolerance(record.rows))),
    refusals(record.rows),
  )

export function toleranceMarkdown(record: BenchmarkRecord): string {
  const lines = toleranceLines(callsWithTolerance(record.rows))
  const table = lines.length === 0 ? noFigure : markdownTable(toleranceHead, lines)
  return joined(markdownHeading(record), table, refusals(record.rows).replaceAll('\n', '  \n'))
}

const joined = (...parts: readonly string[]): string => parts.filter(Boolean).join('\n\n')
