/** What an error costs: a line through the tolerances of each method, and through the settings of each rival. */

import type { BenchmarkRecord, Row } from '../../record.ts'
import { groups, type MeasuredRow, measured } from '../series.ts'
import { type Figure, lineFigure, timeAxis } from './figure.ts'
import type { Axis } from './plots/lines.ts'
import { looksOf } from './plots/palette.ts'

/** A figure for each law and number of points. */
export function costFigures({ kind, rows }: BenchmarkRecord): readonly Figure[] {
  const looks = looksOf([...groups(measured(rows), labelOf)].map(([label, rows]) => ({ label, rows })))
  const unit = kind === 'mesh' ? 'the median size of the sums' : 'the summed sizes of the terms'
  const keyOf = (row: Row) => `${lawAndSet(row)[0]}, N = ${row.problem.targets}`
  return [...groups(measured(rows), keyOf)].flatMap(([title, rows]) => {
    const lines = [...groups(rows, labelOf)].flatMap(([label, rows]) => {
      const look = looks.get(label)
      const points = rows.map(pointOf).filter(({ x }) => x > 0)
      return look && points.length > 0 ? [{ label, look, points: points.toSorted((a, b) => a.x - b.x) }] : []
    })
    if (lines.every(({ label }) => label.startsWith('all pairs'))) return []
    return [
      lineFigure(
        `Error against cost: ${title}`,
        `Further left and lower is better. Whole calls of JavaScript, and steps of programs on their own clocks; thick strokes are quartiles. Errors are relative to ${unit}.`,
        lines,
        { x: errorAxis, y: timeAxis },
      ),
    ]
  })
}

const errorAxis: Axis = { label: 'error of 99 % of the targets →', format: (value) => value.toExponential(0) }

const lawAndSet = ({ problem: { workload } }: Row): readonly string[] => workload.split(' in ')

/** `cpu-wasm, mesh, box`, without the tolerance. */
function labelOf(row: Row): string {
  return [row.contender.name.replace(/, (tolerance|theta) \S+$/, ''), lawAndSet(row)[1]].join(', ')
}

const pointOf = ({ outcome: { call, error } }: MeasuredRow) => ({
  x: error.p99 ?? error.max,
  y: call.median,
  low: call.lowerQuartile,
  high: call.upperQuartile,
})
