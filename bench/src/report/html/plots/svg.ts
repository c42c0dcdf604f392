/** The frame of all plots: one width, which the page scales, and the drawing as text. */

import * as Plot from '@observablehq/plot'

export interface Axis {
  readonly label: string
  readonly format: (value: number) => string
}

/** So narrow that its text is legible on a phone, too. */
const width = 440

export function drawn(options: Plot.PlotOptions): string {
  const svg = Plot.plot({ width, className: 'plot', ...options })
  svg.setAttribute('role', 'img')
  return svg.outerHTML
}

/** At most six round numbers within a range of positive numbers: powers of ten, or also twos and fives in a short range. */
export function ticksIn(low: number, high: number): readonly number[] {
  const digits = high / low > 100 ? [1] : [1, 2, 5]
  const units = Array.from({ length: 50 }, (_, n) => 10 ** (n - 25))
  const all = units
    .flatMap((unit) => digits.map((digit) => digit * unit))
    .filter((value) => value >= 0.999 * low && value <= 1.001 * high)
  const step = Math.ceil(all.length / 6)
  return all.filter((_, n) => n % step === 0)
}
