/**
 * The contenders of one problem side by side, fastest first. They are bars from zero, or dots on a logarithmic axis if some
 * bars would be too short to see.
 */

import * as Plot from '@observablehq/plot'
import { type Canvas, svgText, widthOf } from './lines.ts'

export interface Bar {
  readonly label: string
  readonly color: string
  readonly value: number
  readonly low: number
  readonly high: number
  /** Printed at the end. */
  readonly text: string
}

/** The ratio of fastest to slowest from which dots replace bars. */
const farApart = 60
const rowHeight = { wide: 27, narrow: 38 }

export function barPlot(
  bars: readonly Bar[],
  axis: { label: string; format: (value: number) => string },
  canvas: Canvas,
): string {
  const sorted = bars.toSorted((a, b) => b.value - a.value)
  const values = sorted.flatMap(({ low, high }) => [low, high])
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const logarithmic = most / least > farApart
  const width = widthOf(canvas)
  const marginRight = 18 + 7.4 * Math.max(...sorted.map(({ text }) => text.length))
  const marginLeft = canvas.narrow ? 16 : 18 + 7.1 * Math.max(...sorted.map(({ label }) => label.length))
  const domain = logarithmic ? [10 ** Math.floor(Math.log10(least) - 0.05), most] : [0, most]
  const row = canvas.narrow ? rowHeight.narrow : rowHeight.wide
  const inset = canvas.narrow ? { insetTop: 15, insetBottom: 2 } : {}
  const middle = canvas.narrow ? 7 : 0
  const ticks = logarithmic ? powers(domain[0] ?? 1, most) : canvas.narrow ? 3 : 5
  const start = domain[0]
  const quartiles = logarithmic
    ? { stroke: 'color', strokeWidth: 5, strokeOpacity: 0.5 }
    : { stroke: 'var(--ink)', strokeWidth: 1.5 }
  return svgText(
    Plot.plot({
      document: canvas.document,
      width,
      height: sorted.length * row + (canvas.narrow ? 76 : 58),
      marginLeft,
      marginRight,
      marginTop: canvas.narrow ? 18 : 6,
      marginBottom: 46,
      className: 'plot',
      x: { type: logarithmic ? 'log' : 'linear', domain, label: null },
      y: {
        domain: sorted.map(({ label }) => label),
        axis: null,
        padding: canvas.narrow ? 0.08 : 0.28,
        // The dot is in the middle of a band, which is lower in narrow plots.
        insetBottom: logarithmic && canvas.narrow ? 10 : 0,
      },
      marks: [
        Plot.gridX({ ticks, stroke: 'var(--grid)', strokeOpacity: 1 }),
        Plot.axisX({ ticks, text: axis.format, tickSize: 4, label: null }),
        Plot.text([`${axis.label}${logarithmic ? ' (logarithmic)' : ''}`], {
          frameAnchor: 'bottom-right',
          dy: 40,
          text: (d) => d,
          className: 'axis-label',
        }),
        logarithmic
          ? Plot.link(sorted, {
              x1: () => start,
              x2: 'value',
              y1: 'label',
              y2: 'label',
              dy: middle,
              stroke: 'color',
              strokeOpacity: 0.35,
              strokeWidth: 1.5,
            })
          : Plot.barX(sorted, { x: 'value', y: 'label', fill: 'color', fillOpacity: 0.85, ...inset }),
        Plot.link(sorted, { x1: 'low', x2: 'high', y1: 'label', y2: 'label', dy: middle, ...quartiles }),
        ...(logarithmic ? [Plot.dot(sorted, { x: 'value', y: 'label', dy: middle, r: 4.5, fill: 'color' })] : []),
        Plot.text(sorted, {
          x: 'high',
          y: 'label',
          text: 'text',
          dx: 10,
          dy: middle,
          textAnchor: 'start',
          fontWeight: 600,
        }),
        Plot.text(sorted, {
          y: 'label',
          text: 'label',
          frameAnchor: 'left',
          dx: canvas.narrow ? 0 : -8,
          dy: canvas.narrow ? -11 : 0,
          textAnchor: canvas.narrow ? 'start' : 'end',
          lineAnchor: 'middle',
        }),
      ],
      color: { type: 'identity' },
    }),
  )
}

function powers(low: number, high: number): readonly number[] {
  const from = Math.round(Math.log10(low))
  const count = Math.floor(Math.log10(high) - from) + 1
  const step = Math.ceil(count / 7)
  return Array.from({ length: Math.ceil(count / step) }, (_, i) => 10 ** (from + i * step))
}
