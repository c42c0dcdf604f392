/** Four small plots over the last steps: the cost of a step, and its conserved quantities. */

import './canvases.ts'
import './language.ts'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { digits, element, made, scientific, withPrefix } from './page.ts'

const shown = 180

interface Series {
  readonly title: string
  readonly text: (value: number) => string
}

const series = {
  speed: { title: 'pairs per second', text: withPrefix },
  milliseconds: { title: 'ms per step', text: digits },
  energy: { title: 'change of energy', text: scientific },
  momentum: { title: 'change of momentum', text: scientific },
} as const satisfies Readonly<Record<string, Series>>

export type SeriesName = keyof typeof series

class Plot {
  readonly title = new Text()
  readonly #value = made('strong', '–')
  readonly #box = made('div', '', { class: 'plot' })
  readonly #canvas = made('div')
  #plot: uPlot | undefined
  #x: number[] = []
  #y: number[] = []
  #empty = ''

  constructor(readonly of: Series) {
    this.title.data = of.title
    const caption = made('p')
    caption.append(this.title, this.#value)
    this.#box.append(caption, this.#canvas)
    element('plots').append(this.#box)
  }

  add(y: number): void {
    this.#x.push((this.#x.at(-1) ?? 0) + 1)
    this.#y.push(y)
    if (this.#x.length > shown) {
      this.#x.shift()
      this.#y.shift()
    }
  }

  /** @param empty the text in place of a value */
  clear(empty: string): void {
    this.#x = []
    this.#y = []
    this.#empty = empty
  }

  draw(): void {
    const value = this.#y.at(-1)
    this.#value.textContent = value === undefined ? this.#empty : this.of.text(value)
    const width = this.#box.clientWidth
    if (width === 0) return
    this.#plot ??= this.#made(width)
    if (this.#plot.width !== width) this.#plot.setSize({ width, height: 38 })
    this.#plot.setData([this.#x, this.#y])
  }

  #made(width: number): uPlot {
    const accent = () => getComputedStyle(document.documentElement).getPropertyValue('--accent')
    const range = (_: uPlot, least: number | null, most: number | null): [number, number] => {
      const [a, b] = [Math.min(0, least ?? 0), Math.max(0, most ?? 1)]
      return a === b ? [a, a + 1] : [a, b + (b - a) * 0.1]
    }
    return new uPlot(
      {
        width,
        height: 38,
        legend: { show: false },
        cursor: { show: false },
        axes: [{ show: false }, { show: false }],
        scales: { x: { time: false }, y: { range } },
        series: [
          {},
          {
            stroke: accent,
            width: 1.5,
            points: { show: false },
            fill: () => `color-mix(in srgb, ${accent()} 16%, transparent)`,
          },
        ],
        padding: [2, 0, 2, 0],
      },
      [this.#x, this.#y],
      this.#canvas,
    )
  }
}

export class Plots {
  readonly #plots = Object.fromEntries(Object.entries(series).map(([name, of]) => [name, new Plot(of)])) as Readonly<
    Record<SeriesName, Plot>
  >
  /** Whether the next picture of the page draws them: a page that is behind gets many values between two pictures. */
  #stale = false

  add(name: SeriesName, value: number): void {
    if (!Number.isFinite(value)) return
    this.#plots[name].add(value)
    this.redraw()
  }

  /** @param unit the unit of the speed */
  speedOf(unit: string): void {
    this.#plots.speed.title.data = `${unit} per second`
  }

  clear(conserved: readonly string[]): void {
    for (const [name, plot] of Object.entries(this.#plots))
      plot.clear(name in { energy: 1, momentum: 1 } && !conserved.includes(name) ? 'not conserved' : '–')
    this.redraw()
  }

  redraw(): void {
    if (this.#stale) return
    this.#stale = true
    requestAnimationFrame(() => {
      this.#stale = false
      for (const plot of Object.values(this.#plots)) plot.draw()
    })
  }
}
