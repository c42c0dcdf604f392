/** A law over its numbers of points: sizes down, contenders across, and where one overtakes another. */

import type { BenchmarkRecord } from '../record.ts'
import { crossoverLines } from './crossovers.ts'
import { withPrefix } from './format.ts'
import { refusals } from './refusals.ts'
import type { Section, Table } from './section.ts'
import { measured, perLaw, type Series, seriesOf, sizesIn } from './series.ts'
import { subjectOf, termsOf } from './subject.ts'

export const scaling = ({ rows }: BenchmarkRecord): readonly Section[] =>
  perLaw(rows).map((rows) => {
    const series = seriesOf(rows)
    return {
      title: `${subjectOf(rows[0])}: ${termsOf(rows[0])} per second of whole calls, * the fastest`,
      table: tableOf(series),
      notes: [...crossoverLines(series), ...refusals(rows)],
    }
  })

function tableOf(series: readonly Series[]): Table {
  const rates = series.map(
    ({ rows }) => new Map(measured(rows).map((row) => [row.problem.targets, row.outcome.interactionsPerSecond])),
  )
  const lines = sizesIn(series.flatMap(({ rows }) => measured(rows))).map((size) => {
    const own = rates.map((of) => of.get(size))
    const best = Math.max(...own.map((rate) => rate ?? 0))
    const cells = own.map((rate) => (rate === undefined ? '' : `${rate === best ? '* ' : ''}${withPrefix(rate)}`))
    return [String(size), ...cells]
  })
  return { head: ['N', ...series.map(({ label }) => label)], aligns: 'r'.repeat(1 + series.length), lines }
}
