/** Curves over logarithmic axes: rates by number of points, times by error. A name has one colour; quartiles are thick strokes. */

import * as Plot from '@observablehq/plot'
import { type Axis, drawn, ticksIn } from './svg.ts'

export interface Curve {
  readonly label: string
  readonly dashed?: boolean
  /** The name of its panel, if there are several side by side. */
  readonly panel?: string
  readonly points: readonly {
    readonly x: number
    readonly y: number
    /** Quartiles of y. */
    readonly low?: number
    readonly high?: number
  }[]
}

export interface CurvePlot {
  readonly curves: readonly Curve[]
  readonly x: Axis
  readonly y: Axis
}

const colors = [
  ...['#4269d0', '#e28a00', '#ff725c', '#3fae9a', '#3ca951', '#f06fa4', '#a463f2', '#6f9be8', '#9c6b4e', '#8a919c'],
]

/** The colour of each name. */
export const coloursOf = (curves: readonly Curve[]): ReadonlyMap<string, string> =>
  new Map([...new Set(curves.map(({ label }) => label))].map((label, n) => [label, colors[n % colors.length] ?? '']))

/** @param more options of the frame, and further marks */
export function curvePlot(
  { curves, x, y }: CurvePlot,
  { marks = [], ...frame }: Plot.PlotOptions & { readonly document: Document },
): string {
  const colours = coloursOf(curves)
  const points = curves.flatMap(({ points, label, panel, dashed = false }) =>
    points.map((point) => ({ ...point, label, panel, dashed, color: colours.get(label) })),
  )
  const range = (values: readonly number[]) => [Math.min(...values), Math.max(...values)] as const
  const spread = ({ y, low = y, high = y }: (typeof points)[number]) => [y, low, high]
  const [across, up] = [range(points.map(({ x }) => x)), range(points.flatMap(spread))]
  const at = {
    x: 'x',
    y: 'y',
    stroke: 'color',
    ...(curves.some(({ panel }) => panel !== undefined) && { fx: 'panel' }),
  }
  return drawn({
    height: 320,
    marginTop: 42,
    marginBottom: 44,
    marginLeft: 58,
    marginRight: 22,
    x: { type: 'log' },
    y: { type: 'log' },
    color: { type: 'identity' },
    ...frame,
    marks: [
      Plot.gridY(ticksIn(...up), { stroke: 'var(--grid, #ddd)', strokeOpacity: 1 }),
      Plot.axisX(ticksIn(...across), { text: x.format, tickSize: 4, label: x.label, labelOffset: 40 }),
      Plot.axisY(ticksIn(...up), { text: y.format, tickSize: 0, label: y.label }),
      ...[false, true].map((dashed) =>
        Plot.line(points, {
          ...at,
          z: 'label',
          filter: (point: (typeof points)[number]) => point.dashed === dashed,
          strokeWidth: 2,
          ...(dashed && { strokeDasharray: '4 3' }),
        }),
      ),
      Plot.ruleX(
        points.filter(({ low, high }) => low !== undefined && high !== undefined),
        { x: 'x', y1: 'low', y2: 'high', stroke: 'color', strokeWidth: 5, strokeOpacity: 0.3 },
      ),
      Plot.dot(points, { ...at, fill: 'color', r: 3 }),
      ...marks,
    ],
  })
}
