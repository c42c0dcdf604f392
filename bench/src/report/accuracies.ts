/** An accuracy record as terminal tables: for each law, contenders down, sizes across. */

import type { BenchmarkRecord } from '../record.ts'
import { scientific } from './format.ts'
import { heading } from './heading.ts'
import { groups, lawKey, measured, seriesOf } from './series.ts'
import { subjectOf } from './subject.ts'
import { refusals, textTable } from './tables.ts'

export function accuracies(record: BenchmarkRecord): string {
  const sections = [...groups(record.rows, lawKey).values()].map((rows) => {
    const [first] = rows
    if (!first) return ''
    const sizes = [...new Set(rows.map(({ problem }) => problem.targets))].toSorted((a, b) => a - b)
    const lines = seriesOf(rows).flatMap(({ label, rows: own }) => {
      const bySize = new Map(measured(own).map((row) => [row.problem.targets, row]))
      if (bySize.size === 0) return []
      const cells = sizes.map((size) => {
        const error = bySize.get(size)?.outcome.error
        if (!error) return ''
        const allowed = error.bound === null ? 'approximate' : `of ${scientific(error.bound)}`
        return `${scientific(error.max)} ${allowed}`
      })
      const sums = new Set([...bySize.values()].map(({ outcome }) => outcome.error.accumulation))
      return [[label, [...sums].join(', '), ...cells]]
    })
    const head = ['contender', 'sums', ...sizes.map((n) => `N = ${n}`)]
    return [subjectOf(first), textTable(head, `ll${'r'.repeat(sizes.length)}`, lines), refusals(rows)]
      .filter(Boolean)
      .join('\n')
  })
  const note = 'The largest error of a sample of targets, in units of the sum of absolute terms, and what is allowed.'
  return [heading(record), ...sections, note].join('\n\n')
}
