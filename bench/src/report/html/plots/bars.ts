/**
 * The contenders of one problem side by side, fastest first. They are bars from zero, or dots on a logarithmic axis if some
 * bars would be too short to see.
 */

import * as Plot from '@observablehq/plot'
import { type Canvas, svgText } from './lines.ts'
import { barInset, barMiddle, frameOf, type LabelledRow, rowScale, rowTexts } from './rows.ts'

export interface Bar extends LabelledRow {
  readonly color: string
  readonly value: number
  readonly low: number
  readonly high: number
}

/** From this ratio of fastest to slowest on, dots replace bars. */
const farApart = 60

/** The common range of the axes of several plots. */
export interface BarScale {
  readonly domain: readonly [number, number]
  readonly logarithmic: boolean
}

/** One scale for the bars of several plots. */
export function barScale(bars: readonly Pick<Bar, 'low' | 'high'>[]): BarScale {
  const [least, most] = [Math.min(...bars.map(({ low }) => low)), Math.max(...bars.map(({ high }) => high))]
  const logarithmic = most / least > farApart
  return { domain: [logarithmic ? 10 ** Math.floor(Math.log10(least) - 0.05) : 0, most], logarithmic }
}

export function barPlot(
  bars: readonly Bar[],
  axis: { label: string; format: (value: number) => string; scale: BarScale },
  canvas: Canvas,
): string {
  const sorted = bars.toSorted((a, b) => b.value - a.value)
  const { domain, logarithmic } = axis.scale
  const [start, most] = domain
  const middle = barMiddle(canvas)
  const ticks = logarithmic ? powers(start, most) : canvas.narrow ? 3 : 5
  const quartiles = logarithmic
    ? { stroke: 'color', strokeWidth: 5, strokeOpacity: 0.5 }
    : { stroke: 'var(--ink)', strokeWidth: 1.5 }
  return svgText(
    Plot.plot({
      ...frameOf(sorted, canvas),
      x: { type: logarithmic ? 'log' : 'linear', domain, label: null },
      y: {
        ...rowScale(sorted, canvas),
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
          : Plot.barX(sorted, { x: 'value', y: 'label', fill: 'color', fillOpacity: 0.85, ...barInset(canvas) }),
        Plot.link(sorted, { x1: 'low', x2: 'high', y1: 'label', y2: 'label', dy: middle, ...quartiles }),
        ...(logarithmic ? [Plot.dot(sorted, { x: 'value', y: 'label', dy: middle, r: 4.5, fill: 'color' })] : []),
        ...rowTexts(sorted, { x: ({ high }) => high, dx: 10 }, canvas),
      ],
    }),
  )
}

function powers(low: number, high: number): readonly number[] {
  const from = Math.round(Math.log10(low))
  const count = Math.floor(Math.log10(high) - from) + 1
  const step = Math.ceil(count / 7)
  return Array.from({ length: Math.ceil(count / step) }, (_, i) => 10 ** (from + i * step))
}
