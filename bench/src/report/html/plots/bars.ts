/**
 * The contenders of one problem side by side, fastest first, each below its name. They are bars from zero, or dots on a logarithmic axis if
 * some bars would be too short to see.
 */

import * as Plot from '@observablehq/plot'
import { type Axis, drawn, ticksIn } from './svg.ts'

export interface Bar {
  readonly label: string
  readonly color: string
  readonly value: number
  readonly low: number
  readonly high: number
  /** Printed at its end. */
  readonly text: string
}

/** The common range of the axes of several plots. */
export interface BarScale {
  readonly domain: readonly [number, number]
  readonly logarithmic: boolean
}

/** From this ratio of fastest to slowest on, dots replace bars. */
const farApart = 60

/** One scale for the bars of several plots. */
export function barScale(bars: readonly Pick<Bar, 'low' | 'high'>[]): BarScale {
  const [least, most] = [Math.min(...bars.map(({ low }) => low)), Math.max(...bars.map(({ high }) => high))]
  const logarithmic = most / least > farApart
  return { domain: [logarithmic ? 10 ** Math.floor(Math.log10(least) - 0.05) : 0, most], logarithmic }
}

/** How far the middle of a bar is below the middle of its row, which has its name at the top. */
const dy = 7

export function barPlot(
  bars: readonly Bar[],
  { label, format }: Axis,
  { domain, logarithmic }: BarScale,
  document: Document,
): string {
  const sorted = bars.toSorted((a, b) => b.value - a.value)
  const ticks = logarithmic ? ticksIn(...domain) : 3
  const row = { y: 'label', dy }
  return drawn({
    document,
    height: sorted.length * 38 + 76,
    marginLeft: 16,
    marginRight: 18 + 7.4 * Math.max(...sorted.map(({ text }) => text.length)),
    marginTop: 18,
    marginBottom: 46,
    color: { type: 'identity' },
    x: { type: logarithmic ? 'log' : 'linear', domain },
    y: { domain: sorted.map(({ label }) => label), axis: null, padding: 0.08, insetBottom: logarithmic ? 10 : 0 },
    marks: [
      Plot.gridX({ ticks, stroke: 'var(--grid)', strokeOpacity: 1 }),
      Plot.axisX({
        ...{ ticks, text: format, tickSize: 4, labelOffset: 42 },
        label: `${label}${logarithmic ? ' (logarithmic)' : ''}`,
      }),
      logarithmic
        ? Plot.dot(sorted, { ...row, x: 'value', r: 4.5, fill: 'color' })
        : Plot.barX(sorted, { x: 'value', y: 'label', fill: 'color', fillOpacity: 0.85, insetTop: 15, insetBottom: 2 }),
      Plot.link(sorted, {
        ...{ x1: 'low', x2: 'high', y1: 'label', y2: 'label', dy },
        ...(logarithmic ? { stroke: 'color', strokeWidth: 5, strokeOpacity: 0.5 } : { stroke: 'var(--ink)' }),
      }),
      Plot.text(sorted, { ...row, x: 'high', dx: 10, text: 'text', textAnchor: 'start', fontWeight: 600 }),
      Plot.text(sorted, { y: 'label', text: 'label', frameAnchor: 'left', dy: -11, textAnchor: 'start' }),
    ],
  })
}
