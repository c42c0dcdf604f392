/** A table for the terminal that is never wider than the terminal: its widest columns are wrapped at words. It holds no numbers. */

import Table from 'cli-table3'

type Align = 'left' | 'right'

/** A column that wraps is at least this wide. Hardly any word is longer. */
const least = 16

export function fittedTable(
  head: readonly string[],
  aligns: readonly Align[],
  rows: readonly (readonly string[])[],
  width: number,
): string {
  const made = new Table({
    head: [...head],
    colAligns: [...aligns],
    colWidths: fittedWidths([head, ...rows], width),
    wordWrap: true,
    style: { head: [], border: [], compact: true },
  })
  made.push(...rows.map((row) => [...row]))
  return made.toString()
}

/** The columns of the lines of a table that nothing narrows. */
export const naturalWidth = (lines: readonly (readonly string[])[]): number => lineWidth(naturalWidths(lines))

const lineWidth = (widths: readonly number[]): number => widths.reduce((sum, own) => sum + own + 1, 1)

const naturalWidths = (lines: readonly (readonly string[])[]): number[] =>
  (lines[0] ?? []).map((_, n) => 2 + Math.max(...lines.map((line) => line[n]?.length ?? 0)))

/** Columns with a space on both sides: as wide as their longest cell, the widest narrowed until all lines fit. */
function fittedWidths(lines: readonly (readonly string[])[], width: number): number[] {
  const widths = naturalWidths(lines)
  while (lineWidth(widths) > width) {
    const widest = widths.indexOf(Math.max(...widths))
    if ((widths[widest] ?? 0) <= least) break
    widths[widest] = Math.max(least, (widths[widest] ?? 0) - (lineWidth(widths) - width), secondWidest(widths, widest))
  }
  return widths
}

/** One less than the second widest, so that columns of similar width shrink in turn. */
const secondWidest = (widths: readonly number[], widest: number): number =>
  Math.max(0, ...widths.filter((_, n) => n !== widest)) - 1
