/** Records as Markdown, for an issue or a message: every column, whatever the width. */

import type { BenchmarkRecord } from '../record.ts'
import { heading } from './heading.ts'
import { markdownTable } from './markdown-table.ts'
import { noFigure, problemsOf, rankingOf, refusals, titleOf } from './tables.ts'

export function markdown(record: BenchmarkRecord): string {
  const about = [...heading(record).split('\n'), `\`${record.command}\`, ${record.date.slice(0, 10)}`]
  const groups = problemsOf(record.rows).flatMap((rows) => {
    const { head, lines } = rankingOf(rows)
    const table = lines.length === 0 ? noFigure : markdownTable(head, lines)
    return [`**${titleOf(rows)}**`, table, refusals(rows).replaceAll('\n', '  \n')].filter(Boolean)
  })
  return [about.map((line) => `- ${line}`).join('\n'), ...groups].join('\n\n')
}
