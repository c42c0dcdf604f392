/** Reports as text: for the terminal, whose width they fit, and as Markdown for an issue, with every column. */

import TextTable from 'cli-table3'
import type { BenchmarkRecord } from '../record.ts'
import { heading } from './heading.ts'
import { markdownTable } from './markdown-table.ts'
import { sectionsOf, summaryOf } from './report.ts'
import { noFigure, type Section, type Table } from './section.ts'

export const printed = (record: BenchmarkRecord): string => joined(heading(record), ...summaryOf(record).map(textOf))

export function markdown(record: BenchmarkRecord): string {
  const about = [...heading(record).split('\n'), `\`${record.command}\`, ${record.date.slice(0, 10)}`]
  return joined(about.map((line) => `- ${line}`).join('\n'), ...sectionsOf(record).map(markdownOf))
}

export function textOf({ title = '', remarks = [], table, notes = [] }: Section): string {
  const shown = table && (table.lines.length === 0 ? noFigure : fitted(table))
  return [title, ...remarks, shown, ...notes].filter(Boolean).join('\n')
}

function markdownOf({ title, remarks = [], table, notes = [] }: Section): string {
  const shown = table && (table.lines.length === 0 ? noFigure : markdownTable(table.head, table.lines))
  return joined(title ? `**${title}**` : '', shown ?? '', [...remarks, ...notes].join('\n').replaceAll('\n', '  \n'))
}

const joined = (...parts: readonly string[]): string => parts.filter(Boolean).join('\n\n')

/** Without a terminal, as in a file, lines may have any length. */
const terminalWidth = (): number => process.stdout.columns ?? Infinity

/** Leaves out spare columns until the table fits the terminal. */
function fitted({ head, aligns, lines, spare = [] }: Table, left: readonly string[] = []): string {
  const text = boxed(head, aligns, lines)
  const next = spare.find((name) => head.includes(name))
  if (next !== undefined && text.indexOf('\n') > terminalWidth()) {
    const kept = <T>(list: Iterable<T>): T[] => [...list].filter((_, n) => head[n] !== next)
    const narrower = { head: kept(head), aligns: kept(aligns).join(''), lines: lines.map(kept), spare }
    return fitted(narrower, [...left, next])
  }
  return left.length === 0 ? text : `${text}\nA wider terminal, and --html, also show: ${left.join(', ')}.`
}

function boxed(head: readonly string[], aligns: string, lines: Table['lines']): string {
  const table = new TextTable({
    head: [...head],
    colAligns: [...aligns].map((align) => (align === 'r' ? 'right' : 'left')),
    style: { head: [], border: [], compact: true },
  })
  table.push(...lines.map((line) => [...line]))
  return table.toString()
}
