/** A scaling record as terminal tables: sizes down, contenders across, and where one overtakes another. */

import type { BenchmarkRecord } from '../record.ts'
import { crossoverLines, noCrossover } from './crossovers.ts'
import { withPrefix } from './format.ts'
import { heading } from './heading.ts'
import { groups, lawKey, measured, type Series, seriesOf } from './series.ts'
import { subjectOf, termsOf } from './subject.ts'
import { refusals, textTable } from './tables.ts'

export function scaling(record: BenchmarkRecord): string {
  const sections = [...groups(record.rows, lawKey).values()].map((rows) => {
    const [first] = rows
    if (!first) return ''
    const series = seriesOf(rows)
    const title = `${subjectOf(first)}: ${termsOf(first)} per second of whole calls, * the fastest`
    const found = crossoverLines(series)
    const changes = found.length === 0 ? [noCrossover] : found
    return [title, table(series), ...changes, refusals(rows)].filter(Boolean).join('\n')
  })
  return [heading(record), ...sections].join('\n\n')
}

function table(series: readonly Series[]): string {
  const rates = series.map(
    ({ rows }) => new Map(measured(rows).map((row) => [row.problem.targets, row.outcome.interactionsPerSecond])),
  )
  const sizes = [...new Set(rates.flatMap((of) => [...of.keys()]))].toSorted((a, b) => a - b)
  const lines = sizes.map((size) => {
    const own = rates.map((of) => of.get(size))
    const best = Math.max(...own.map((rate) => rate ?? 0))
    return [size, ...own.map((rate) => (rate === undefined ? '' : `${rate === best ? '* ' : ''}${withPrefix(rate)}`))]
  })
  return textTable(['N', ...series.map(({ label }) => label)], `r${'r'.repeat(series.length)}`, lines)
}
