/** The plots for each kind of record, and the rows that they show. */

import type { BenchmarkRecord, Kind, Row } from '../../record.ts'
import { costLines } from '../costs.ts'
import { crossoverLines } from '../crossovers.ts'
import { duration, tick, withPrefix } from '../format.ts'
import { groups, type MeasuredRow, measured, perLaw, problemKey, ranked, seriesOf } from '../series.ts'
import { sized, subjectOf, termsOf } from '../subject.ts'
import { callsWithTolerance } from '../tolerances.ts'
import { type Bar, type BarScale, barPlot, barScale } from './plots/bars.ts'
import { type CurvePlot, coloursOf, curvePlot } from './plots/curves.ts'
import type { Axis } from './plots/svg.ts'

export interface Figure {
  readonly title: string
  /** How to read it. */
  readonly note: string
  readonly key: readonly { readonly label: string; readonly color: string }[]
  draw(document: Document): string
}

type Figures = (record: BenchmarkRecord) => readonly Figure[]

/** Other kinds have bars for each problem. */
const figures: Readonly<Partial<Record<Kind, Figures>>> = {
  rivals: bestBars,
  sweep: bestBars,
  scale: rates,
  tree: costs,
  mesh: costs,
}

export const figuresOf: Figures = (record) => (figures[record.kind] ?? bars)(record)

const curveFigure = (title: string, note: string, plot: CurvePlot): Figure => ({
  title,
  note,
  key: [...coloursOf(plot.curves)].map(([label, color]) => ({ label, color })),
  draw: (document) => curvePlot(plot, { document }),
})

function rates({ rows }: BenchmarkRecord): readonly Figure[] {
  return perLaw(rows).flatMap((rows) => {
    const series = seriesOf(rows)
    const curves = series
      .map(({ label, rows }) => {
        const points = measured(rows).map((row) => ({ x: row.problem.targets, y: rateOf(row), ...quartilesOf(row) }))
        return { label: named(label, rows), points: points.toSorted((a, b) => a.x - b.x) }
      })
      .filter(({ points }) => points.length > 0)
    if (curves.length === 0) return []
    const note = `Higher is better. Whole calls, JavaScript to JavaScript; thick strokes are quartiles. ${crossoverLines(series).join(' ')}`
    const plot = { curves, x: { label: 'points N', format: String }, y: rateAxis(rows) }
    return [curveFigure(`Rate by number of points: ${subjectOf(rows[0])}`, note, plot)]
  })
}

/** A plot for each law and number of points. */
function costs({ rows }: BenchmarkRecord): readonly Figure[] {
  const lines = groups(costLines(callsWithTolerance(rows)), ({ law, count }) => `${law}, N = ${count}`)
  return [...lines].map(([title, same]) =>
    curveFigure(
      `Time by error: ${title}`,
      'Lower is better, and further left is more exact. Whole calls. Rivals are dashed.',
      {
        curves: same.map(({ rival, ...line }) => ({ ...line, dashed: rival })),
        x: { label: 'error of 99 % of the targets', format: (value) => value.toExponential(0) },
        y: { label: 'time of one call', format: tick(duration) },
      },
    ),
  )
}

/** The fastest loop of each contender at each law's largest size. */
function bestBars({ rows, ...record }: BenchmarkRecord): readonly Figure[] {
  const largest = perLaw(rows).flatMap((same) => {
    const most = Math.max(...same.map(({ interactions }) => interactions))
    return same.filter(({ interactions }) => interactions === most)
  })
  const keyOf = (row: Row) =>
    JSON.stringify([problemKey(row), row.environment, row.contender.name, row.contender.precision])
  const best = [...groups(ranked(largest), keyOf).values()].flatMap(([best]) => (best ? [best] : []))
  return bars({ ...record, rows: best }, ' Of each contender its best loop, at the largest size; the tables have all.')
}

/** @param more further text below the title */
function bars({ rows }: BenchmarkRecord, more = ''): readonly Figure[] {
  const scales = scalesOf(rows)
  return [...groups(rows, problemKey).values()].flatMap((rows) => {
    const [first] = rows
    const scale = first && scales.get(termsOf(first))
    const drawn = seriesOf(rows).flatMap(({ label, rows }) => measured(rows).map((row) => barOf(label, row)))
    if (!first || !scale || drawn.length === 0) return []
    const approximate = drawn.some(({ text }) => text.endsWith('≈'))
      ? ' ≈ marks methods that approximate by design: their rate counts the pairs they stand for.'
      : ''
    const figure: Figure = {
      title: sized(first),
      note: `Higher is better. Whole calls, medians; the stroke at the end spans the quartiles.${approximate}${more}`,
      key: rows.some(({ contender }) => contender.rival) ? kinds : [],
      draw: (document) => barPlot(drawn, rateAxis(rows), scale, document),
    }
    return [figure]
  })
}

const kinds = [
  { label: 'manybody', color: 'var(--ours)' },
  { label: 'float64 reference', color: 'var(--reference)' },
  { label: 'rivals', color: 'var(--rival)' },
]

const barOf = (label: string, row: MeasuredRow): Bar => ({
  label: named(label, [row]),
  color: `var(--${row.contender.rival ? 'rival' : row.contender.name === 'reference' ? 'reference' : 'ours'})`,
  value: rateOf(row),
  ...quartilesOf(row),
  text: `${withPrefix(rateOf(row))}/s${row.outcome.error.approximate === undefined ? '' : ' ≈'}`,
})

const rateAxis = ([row]: readonly Row[]): Axis => ({
  label: `${row ? termsOf(row) : ''} per second`,
  format: tick(withPrefix),
})

/** Plots of the same unit share a scale, so that a reader may compare them. */
const scalesOf = (rows: readonly Row[]): ReadonlyMap<string, BarScale> =>
  new Map([...groups(measured(rows), termsOf)].map(([terms, same]) => [terms, barScale(same.map(quartilesOf))]))

const rateOf = ({ outcome }: MeasuredRow): number => outcome.interactionsPerSecond

/** The rates at the quartiles of the times. */
const quartilesOf = ({ interactions, outcome: { call } }: MeasuredRow): Pick<Bar, 'low' | 'high'> => ({
  low: (interactions * 1000) / call.upperQuartile,
  high: (interactions * 1000) / call.lowerQuartile,
})

/** A software device is marked wherever it appears. */
const named = (label: string, [row]: readonly Row[]): string =>
  row?.contender.kind === 'software' ? `${label} (software)` : label
