/** The contenders of one problem side by side, as bars or dots. */

import type { BenchmarkRecord, Row } from '../../record.ts'
import { tick, withPrefix } from '../format.ts'
import { groups, lawKey, type MeasuredRow, measured, problemKey, ranked, seriesOf } from '../series.ts'
import { sized, termsOf } from '../subject.ts'
import { type Figure, named } from './figure.ts'
import { type Bar, type BarScale, barPlot, barScale } from './plots/bars.ts'
import type { Canvas } from './plots/lines.ts'

const isReference = ({ contender }: Row): boolean => contender.name === 'reference'

const onlyBest = ' Of each contender its best loop, at the largest size; the tables have all.'

/** For records of rivals, which have many contenders. */
export const rivalBars = (record: BenchmarkRecord): readonly Figure[] =>
  bars({ ...record, rows: bestLoops(largestOf(record.rows)) }, onlyBest)

/** The rows of each law's largest size. */
function largestOf(rows: readonly Row[]): readonly Row[] {
  return [...groups(rows, lawKey).values()].flatMap((same) => {
    const most = Math.max(...same.map(({ interactions }) => interactions))
    return same.filter(({ interactions }) => interactions === most)
  })
}

/** The row of the fastest loop of each contender, by problem. */
function bestLoops(rows: readonly Row[]): readonly Row[] {
  const keyOf = (row: Row) =>
    JSON.stringify([problemKey(row), row.environment, row.contender.name, row.contender.precision])
  return [...groups(ranked(rows), keyOf).values()].flatMap(([best]) => (best ? [best] : []))
}

/**
 * Contenders side by side, with a plot for each problem.
 *
 * @param more further text below the title
 */
export function bars({ rows }: BenchmarkRecord, more = ''): readonly Figure[] {
  const scales = scalesOf(rows)
  return [...groups(rows, problemKey).values()].flatMap((rows) => {
    const [first] = rows
    const scale = first && scales.get(termsOf(first))
    const drawn: readonly Bar[] = seriesOf(rows).flatMap(({ label, rows }) =>
      measured(rows).map((row) => ({
        label: named(label, [row]),
        color: row.contender.rival ? 'var(--rival)' : isReference(row) ? 'var(--reference)' : 'var(--ours)',
        value: row.outcome.interactionsPerSecond,
        ...quartilesOf(row),
        text: `${withPrefix(row.outcome.interactionsPerSecond)}/s${row.outcome.error.approximate === undefined ? '' : ' ≈'}`,
      })),
    )
    if (!first || !scale || drawn.length === 0) return []
    const rivals = rows.some(({ contender }) => contender.rival)
    const approximate = measured(rows).some(({ outcome }) => outcome.error.approximate !== undefined)
    return [
      {
        title: sized(first),
        note: `Higher is better. Whole calls, medians; the stroke at the end spans the quartiles.${approximate ? ' ≈ marks methods that approximate by design: their rate counts the pairs they stand for.' : ''}${more}`,
        legend: [],
        key: rivals
          ? [
              { label: 'manybody', color: 'var(--ours)' },
              ...(rows.some(isReference) ? [{ label: 'float64 reference', color: 'var(--reference)' }] : []),
              { label: 'rivals', color: 'var(--rival)' },
            ]
          : [],
        draw: (canvas: Canvas) =>
          barPlot(drawn, { label: `${termsOf(first)} per second →`, format: tick(withPrefix), scale }, canvas),
      },
    ]
  })
}

/** Plots of the same unit share a scale, so that a reader may compare them. */
const scalesOf = (rows: readonly Row[]): ReadonlyMap<string, BarScale> =>
  new Map([...groups(measured(rows), termsOf)].map(([terms, same]) => [terms, barScale(same.map(quartilesOf))]))

/** The rates at the quartiles of the times. */
const quartilesOf = ({ interactions, outcome: { call } }: MeasuredRow): Pick<Bar, 'low' | 'high'> => ({
  low: (interactions * 1000) / call.upperQuartile,
  high: (interactions * 1000) / call.lowerQuartile,
})
