/** The plots for each kind of record, and the rows that they show. */

import type { BenchmarkRecord, Kind, Row } from '../../record.ts'
import { crossoverLines, crossovers, noCrossover, roughly } from '../crossovers.ts'
import { duration, tick, withPrefix } from '../format.ts'
import { groups, lawKey, type MeasuredRow, measured, problemKey, type Series, seriesOf } from '../series.ts'
import { sized, subjectOf, termsOf } from '../subject.ts'
import { callsWithTolerance } from '../tolerances.ts'
import { bars, rivalBars } from './bar-figures.ts'
import { type Figure, lineFigure, named, timeAxis } from './figure.ts'
import { type Cell, heatMap, shades } from './plots/heat-map.ts'
import type { Axis, Canvas, Guide, Line } from './plots/lines.ts'
import { type Look, looksOf } from './plots/palette.ts'
import { type CallShare, parts, sharePlot } from './plots/shares.ts'
import { toleranceFigures } from './tolerances.ts'

export function figuresOf(record: BenchmarkRecord): readonly Figure[] {
  return (figures[record.kind] ?? bars)(record)
}

/** Other kinds have bars. */
const figures: Readonly<Partial<Record<Kind, (record: BenchmarkRecord) => readonly Figure[]>>> = {
  rivals: rivalBars,
  scale: (record) =>
    perLaw(record, (law, series) => [rates(law, series), times(law, series), ...roofline(law, series)]),
  accuracy: (record) => perLaw(record, errors),
  sweep: heatMaps,
  tree: ({ rows }) => toleranceFigures(callsWithTolerance(rows)),
  mesh: ({ rows }) => toleranceFigures(callsWithTolerance(rows)),
  transfer: (record) => [...shares(record), ...perLaw(record, roofline)],
}

type Drawn = Series & { readonly look: Look }

/** The contenders of each law, which look the same in all plots. */
function perLaw(
  { rows }: BenchmarkRecord,
  figuresOf: (law: string, series: readonly Drawn[]) => readonly Figure[],
): readonly Figure[] {
  const looks = looksOf(seriesOf(rows))
  return [...groups(rows, lawKey).values()].flatMap((rows) => {
    const [first] = rows
    const series = seriesOf(rows).flatMap(({ label, rows }) => {
      const look = looks.get(label) ?? looksOf(seriesOf(rows)).get(label)
      return look && measured(rows).length > 0 ? [{ label: named(label, rows), rows, look }] : []
    })
    return first && series.length > 0 ? figuresOf(subjectOf(first), series) : []
  })
}

const rateAxis: Axis = { label: '↑ pairs per second', format: tick(withPrefix) }
const errorAxis: Axis = {
  label: '↑ largest error, of the sum of absolute terms',
  format: (value) => value.toExponential(0),
}

function sizeAxis(series: readonly Series[]): Axis {
  const ticks = [...new Set(series.flatMap(({ rows }) => measured(rows).map(({ problem }) => problem.targets)))]
  return { label: 'points N →', format: String, ticks }
}

function line({ label, look, rows }: Drawn, pointOf: (row: MeasuredRow) => Line['points'][number]): Line {
  const points = measured(rows)
    .map(pointOf)
    .filter(({ y }) => y > 0)
  return { label, look, points: points.toSorted((a, b) => a.x - b.x) }
}

function rates(law: string, series: readonly Drawn[]): Figure {
  const changes = crossovers(series)
  const lines = series.map((one) =>
    line(one, ({ problem, interactions, outcome: { call, interactionsPerSecond } }) => ({
      x: problem.targets,
      y: interactionsPerSecond,
      low: (interactions * 1000) / call.upperQuartile,
      high: (interactions * 1000) / call.lowerQuartile,
    })),
  )
  return lineFigure(
    `Rate by number of points: ${law}`,
    `Higher is better. Whole calls, JavaScript to JavaScript; thick strokes are quartiles. ${crossoverLines(series).join(' ') || noCrossover}`,
    lines,
    { x: sizeAxis(series), y: rateAxis, marks: changes.map(({ at }) => ({ x: at, label: roughly(at) })) },
  )
}

function times(law: string, series: readonly Drawn[]): Figure {
  const lines = series.map((one) =>
    line(one, ({ problem, outcome: { call } }) => ({
      x: problem.targets,
      y: call.median,
      low: call.lowerQuartile,
      high: call.upperQuartile,
    })),
  )
  return lineFigure(
    `Time by number of points: ${law}`,
    'Lower is better. Flat where the cost of a call dominates, and four times the time for twice the points where pairs do.',
    lines,
    { x: sizeAxis(series), y: timeAxis },
  )
}

/** One plot for each precision, because errors of float64 are so small that all others would look like one line. */
function errors(law: string, series: readonly Drawn[]): readonly Figure[] {
  const perPrecision = groups(series, ({ rows }) => rows[0]?.contender.precision)
  return [...perPrecision].flatMap(([precision, series]) => errorsOf(`${law}, ${precision}`, series))
}

function errorsOf(law: string, series: readonly Drawn[]): readonly Figure[] {
  const lines = series.map((one) => line(one, ({ problem, outcome }) => ({ x: problem.targets, y: outcome.error.max })))
  const exact = series.filter((_, i) => lines[i]?.points.length === 0).map(({ label }) => label)
  if (exact.length === series.length) return []
  const figure = lineFigure(
    `Error by number of points: ${law}`,
    `Lower is better. The largest error of a sample of targets against the float64 reference; dotted lines are the bounds that must hold, by how terms are added.${exact.length > 0 ? ` Without any difference, and so not on a logarithmic axis: ${exact.join(', ')}.` : ''}`,
    lines,
    { x: sizeAxis(series), y: errorAxis, guides: bounds(series) },
  )
  return [figure]
}

/** One line for all contenders with the same bounds. */
function bounds(series: readonly Drawn[]): readonly Guide[] {
  const all = series.map(({ label, rows }) => ({
    label,
    points: measured(rows)
      .flatMap(({ problem, outcome }) =>
        outcome.error.bound === null ? [] : [{ x: problem.targets, y: outcome.error.bound }],
      )
      .toSorted((a, b) => a.x - b.x),
  }))
  const distinct = groups(
    all.filter(({ points }) => points.length > 0),
    ({ points }) => JSON.stringify(points),
  )
  return [...distinct.values()].map((same) => {
    const names = [...new Set(same.map(({ label }) => label.split(',')[0] ?? label))]
    return { label: `bound: ${names.join(', ')}`, color: 'var(--muted)', points: same[0]?.points ?? [] }
  })
}

/**
 * Rate against interactions per transferred point. The measured transfers and the best measured computation of each contender set the
 * limits. A call uploads, then computes, then reads back, so the times add up.
 */
function roofline(law: string, series: readonly Drawn[]): readonly Figure[] {
  const moving = series.flatMap((one) => {
    const rows = measured(one.rows).filter(({ outcome, problem }) => outcome.parts && problem.sources > 0)
    const transfer = ({ outcome: { parts } }: MeasuredRow) => (parts ? parts.upload.median + parts.readback.median : 0)
    const points = ({ problem }: MeasuredRow) => problem.targets + problem.sources
    const moved = rows.filter((row) => transfer(row) > 0)
    const compute = Math.max(
      ...rows.map(({ interactions, outcome: { parts } }) => (interactions * 1000) / (parts?.compute.median ?? 0)),
    )
    const speed = Math.max(...moved.map((row) => (points(row) * 1000) / transfer(row)))
    if (moved.length < 2 || !Number.isFinite(compute)) return []
    const intensity = (row: MeasuredRow) => row.interactions / points(row)
    const found = line({ ...one, rows: moved }, (row) => ({ x: intensity(row), y: row.outcome.interactionsPerSecond }))
    const roof = found.points.map(({ x }) => ({ x, y: 1 / (1 / compute + 1 / (x * speed)) }))
    return [{ found, roof: { label: '', color: one.look.color, points: roof } }]
  })
  if (moving.length === 0) return []
  return [
    lineFigure(
      `Roofline: ${law}`,
      'Rate of whole calls against pairs per point moved. The dotted roof of each contender is what its own fastest computation and fastest transfers of this record would give, one after the other; what is missing to it are costs per call and sizes too small to fill the device.',
      moving.map(({ found }) => found),
      {
        x: { label: 'pairs per point moved →', format: tick(withPrefix) },
        y: rateAxis,
        guides: moving.map(({ roof }) => roof),
      },
    ),
  ]
}

function shares({ rows }: BenchmarkRecord): readonly Figure[] {
  return [...groups(rows, problemKey).values()].flatMap((rows) => {
    const [first] = rows
    const calls: readonly CallShare[] = seriesOf(rows).flatMap(({ label, rows }) =>
      measured(rows).flatMap((row) => {
        const { call, parts } = row.outcome
        if (!parts) return []
        const [upload, compute, readback] = [parts.upload.median, parts.compute.median, parts.readback.median]
        return [{ label: named(label, [row]), upload, compute, readback, text: duration(call.median) }]
      }),
    )
    if (!first || calls.length === 0) return []
    return [
      {
        title: sized(first),
        note: 'What a call spends its time on, from JavaScript to JavaScript; compiling came before.',
        legend: [],
        key: parts.map((part) => ({ label: part, color: `var(--${part})` })),
        draw: (canvas: Canvas) => sharePlot(calls, canvas),
      },
    ]
  })
}

function heatMaps({ rows }: BenchmarkRecord): readonly Figure[] {
  const keyOf = (row: Row) => problemKey(row) + row.environment + row.contender.name + row.contender.precision
  const sizeNames = ({ contender }: Row) => Object.keys(contender.sizes ?? {}).join()
  return [...groups(rows, (row) => keyOf(row) + sizeNames(row)).values()].flatMap((rows) => {
    const [first] = rows
    const column = columnOf(rows)
    if (!first || column === undefined) return []
    const cells = rows.flatMap((row): readonly Cell[] => {
      const { [column]: size, ...others } = row.contender.sizes ?? {}
      if (size === undefined) return []
      const further = Object.entries(others).map(([name, size]) => `${name} ${size}`)
      const [found] = measured([row])
      return [{ column: size, row: [loopOf(row), ...further].join(', '), rate: found?.outcome.interactionsPerSecond }]
    })
    if (!cells.some(({ rate }) => rate !== undefined)) return []
    const { contender, environment } = first
    const varied = ['variant', ...Object.keys(contender.sizes ?? {}).filter((name) => name !== column)]
    return [
      {
        title: `${named(contender.name, [first])}, ${contender.precision}: ${varied.join(' and ')} by ${column}, ${sized(first)}`,
        note: `${termsOf(first)[0]?.toUpperCase()}${termsOf(first).slice(1)} per second of whole calls in ${environment}. The frame marks the best of these; shades are shares of it. “none”: no figure, see below.`,
        legend: [],
        key: shades.map((share, i) => ({
          label: `${Math.round(share * 100)} to ${Math.round((shades[i + 1] ?? 1) * 100)} %`,
          color: `var(--shade-${i})`,
        })),
        draw: (canvas: Canvas) => heatMap(cells, `${column} →`, canvas),
      },
    ]
  })
}

/** The name of a variant, without its sizes. */
function loopOf({ contender: { variant = 'one variant' } }: Row): string {
  return variant.replace(/ \(.*\)$/, '')
}

/** The size on the axis of blocks: `workgroup`, or the size with most values in the sweep. */
function columnOf(rows: readonly Row[]): string | undefined {
  const values = new Map<string, Set<number>>()
  for (const { contender } of rows) {
    for (const [name, size] of Object.entries(contender.sizes ?? {})) {
      values.set(name, (values.get(name) ?? new Set()).add(size))
    }
  }
  const names = [...values.keys()].sort((a, b) => (values.get(b)?.size ?? 0) - (values.get(a)?.size ?? 0))
  return values.has('workgroup') ? 'workgroup' : names[0]
}
