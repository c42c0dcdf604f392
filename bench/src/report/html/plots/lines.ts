/**
 * Lines over logarithmic axes, each named at its end: the plot of scaling, accuracy and roofline. Narrow plots name them
 * in a legend instead, which the page adds.
 */

import * as Plot from '@observablehq/plot'
import type { Look } from './palette.ts'

interface Point {
  readonly x: number
  readonly y: number
  /** Quartiles of y. */
  readonly low?: number
  readonly high?: number
}

export interface Line {
  readonly label: string
  readonly look: Look
  readonly points: readonly Point[]
}

/** A line that is not a measurement: a bound, a roof. */
export interface Guide {
  readonly label: string
  readonly color: string
  readonly points: readonly Point[]
}

export interface Axis {
  readonly label: string
  readonly format: (value: number) => string
  /** The positions of ticks; by default round numbers. */
  readonly ticks?: readonly number[]
}

export interface LinePlot {
  readonly lines: readonly Line[]
  readonly guides?: readonly Guide[]
  /** Vertical lines with a word at the top. */
  readonly marks?: readonly { readonly x: number; readonly label: string }[]
  readonly x: Axis
  readonly y: Axis
}

export interface Canvas {
  readonly document: Document
  readonly narrow: boolean
}

export const widthOf = ({ narrow }: Canvas): number => (narrow ? 350 : 820)

const margin = { top: 42, bottom: 44, left: 58 }

export function linePlot(plot: LinePlot, canvas: Canvas): string {
  const { lines, guides = [], marks = [], x, y } = plot
  const width = widthOf(canvas)
  const height = canvas.narrow ? 310 : 430
  const everything = [...lines, ...guides].flatMap(({ points }) => points)
  const xs = everything.map((point) => point.x)
  const ys = lines
    .flatMap(({ points }) => points)
    .flatMap((point) => [point.y, point.low ?? point.y, point.high ?? point.y])
  const guided = guides.flatMap(({ points }) => points.map((point) => point.y))
  const xDomain = [Math.min(...xs) / 1.12, Math.max(...xs) * 1.12] as const
  const yTicks = decades([...ys, ...guided])
  const yDomain = [yTicks[0] ?? 1, yTicks.at(-1) ?? 10] as const
  const ends = [...lines, ...guides].map(toEnd).filter(({ text }) => text !== '')
  const labels = canvas.narrow ? [] : endLabels(ends, yDomain, height)
  const marginRight = canvas.narrow ? 22 : 24 + 7.5 * Math.max(0, ...labels.map(({ text }) => text.length))
  return svgText(
    Plot.plot({
      document: canvas.document,
      width,
      height,
      marginTop: margin.top,
      marginBottom: margin.bottom,
      marginLeft: margin.left,
      marginRight,
      className: 'plot',
      x: { type: 'log', domain: xDomain, label: null },
      y: { type: 'log', domain: yDomain, label: null },
      symbol: { type: 'identity' },
      marks: [
        Plot.gridY(yTicks, { stroke: 'var(--grid)', strokeOpacity: 1 }),
        Plot.gridX(ticksOf(x, xDomain, canvas), { stroke: 'var(--grid)', strokeOpacity: 1 }),
        Plot.axisX(ticksOf(x, xDomain, canvas), { text: x.format, tickSize: 4, label: null }),
        Plot.axisY(yTicks, { text: y.format, tickSize: 0, label: null }),
        Plot.text([x.label], { frameAnchor: 'bottom-right', dy: 38, className: 'axis-label', text: (d) => d }),
        Plot.text([y.label], {
          frameAnchor: 'top-left',
          dx: 6 - margin.left,
          dy: -32,
          className: 'axis-label',
          text: (d) => d,
        }),
        ...marks.flatMap(({ x, label }) => [
          Plot.ruleX([x], { stroke: 'var(--muted)', strokeDasharray: '2 3' }),
          Plot.text([label], { x: () => x, frameAnchor: 'top', dy: -12, text: (d) => d, fill: 'var(--muted)' }),
        ]),
        ...guides.map(({ points, color }) =>
          Plot.line(points, {
            x: 'x',
            y: 'y',
            stroke: color,
            strokeWidth: 1.25,
            strokeDasharray: '1 4',
            strokeLinecap: 'round',
          }),
        ),
        ...lines.map(({ points, look }) =>
          Plot.line(points, { x: 'x', y: 'y', stroke: look.color, strokeWidth: 2, strokeDasharray: look.dash }),
        ),
        ...lines.map(({ points, look }) =>
          Plot.ruleX(
            points.filter(({ low, high }) => low !== undefined && high !== undefined),
            { x: 'x', y1: 'low', y2: 'high', stroke: look.color, strokeWidth: 5, strokeOpacity: 0.3 },
          ),
        ),
        ...lines.map(({ points, look }) =>
          Plot.dot(points, {
            x: 'x',
            y: 'y',
            r: 3.2,
            symbol: look.symbol,
            fill: look.color,
            stroke: 'var(--paper)',
            strokeWidth: 0.75,
          }),
        ),
        ...labels.map(({ text, color, x, y, at }) => [
          Plot.link([{}], {
            x1: x,
            x2: xDomain[1],
            y1: y,
            y2: at,
            stroke: color,
            strokeWidth: 0.75,
            strokeOpacity: 0.6,
          }),
          Plot.text([text], {
            x: xDomain[1],
            y: at,
            dx: 5,
            text: (d) => d,
            fill: color,
            textAnchor: 'start',
            fontWeight: 600,
          }),
        ]),
      ],
    }),
  )
}

interface End {
  readonly text: string
  readonly color: string
  readonly x: number
  readonly y: number
}

function toEnd(line: Line | Guide): End {
  const last = line.points.reduce((far, point) => (point.x > far.x ? point : far), line.points[0] ?? { x: 1, y: 1 })
  return { text: line.label, color: 'look' in line ? line.look.color : line.color, x: last.x, y: last.y }
}

/** Pushes labels apart along y until none touches another; `at` is the place of the text. */
function endLabels(ends: readonly End[], [low, high]: readonly [number, number], height: number) {
  const pixels = height - margin.top - margin.bottom
  const perPixel = Math.log(high / low) / pixels
  const gap = 16
  const placed = ends.map((end) => ({ end, pixel: Math.log(end.y / low) / perPixel })).sort((a, b) => a.pixel - b.pixel)
  for (let pass = 0; pass < 200; pass++) {
    for (const [i, above] of placed.entries()) {
      const below = placed[i - 1]
      const overlap = below ? gap - (above.pixel - below.pixel) : 0
      if (below && overlap > 0) {
        below.pixel -= overlap / 2
        above.pixel += overlap / 2
      }
    }
    for (const label of placed) label.pixel = Math.min(pixels, Math.max(0, label.pixel))
  }
  return placed.map(({ end, pixel }) => ({ ...end, at: low * Math.exp(pixel * perPixel) }))
}

/** Powers of ten around the values: the first tick below, the last above, and at most eight steps between them. */
function decades(values: readonly number[]): readonly number[] {
  const exponents = values.filter((value) => value > 0 && Number.isFinite(value)).map((value) => Math.log10(value))
  const from = Math.floor(Math.min(...exponents) + 1e-9)
  const count = Math.max(1, Math.ceil(Math.max(...exponents) - 1e-9) - from)
  const step = Math.ceil(count / 8)
  return Array.from({ length: Math.ceil(count / step) + 1 }, (_, i) => 10 ** (from + i * step))
}

/** The ticks that fit beside each other. */
function ticksOf({ ticks, format }: Axis, domain: readonly [number, number], canvas: Canvas): readonly number[] {
  const room = (widthOf(canvas) - margin.left - (canvas.narrow ? 20 : 180)) / Math.log(domain[1] / domain[0])
  const kept: number[] = []
  for (const tick of [...(ticks ?? steps(domain))].sort((a, b) => b - a)) {
    const next = kept.at(-1)
    const needed = 7 * format(next ?? tick).length + 10
    if (next === undefined || Math.log(next / tick) * room >= needed) kept.push(tick)
  }
  return kept
}

/** Ones, twos and fives of each decade; only ones if there are many decades. */
function steps([low, high]: readonly [number, number]): readonly number[] {
  const decades = Array.from({ length: 40 }, (_, i) => 10 ** (i - 20))
  const digits = high / low > 1e3 ? [1] : [1, 2, 5]
  return decades.flatMap((unit) => digits.map((digit) => digit * unit)).filter((tick) => tick >= low && tick <= high)
}

/** The drawing of Plot as text, with its size in the view box so that the page can scale it. */
export function svgText(drawn: Element): string {
  drawn.setAttribute('role', 'img')
  return drawn.outerHTML
}
