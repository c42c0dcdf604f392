/**
 * The transform of a smooth part as a table: a series in the logarithm of the frequency, because a grid has many frequencies, and the
 * transform takes some thousand values of the law for each.
 *
 * @module
 */
import { fitted, seriesAt } from './chebyshev.ts'

/** The rest of a series, relative to its largest coefficient. */
const precise = 1e-14

/** The transform between two frequencies. */
export function transformTable(
  transform: (k: number) => number,
  lowest: number,
  highest: number,
): (k: number) => number {
  const [from, to] = [Math.log(lowest), Math.log(highest)]
  const middle = (from + to) / 2
  const half = Math.max((to - from) / 2, 1e-9)
  // Times k^2, which evens out the transforms of slow laws.
  const scaled = (x: number) => {
    const k = Math.exp(middle + half * x)
    return transform(k) * k * k
  }
  let series = fitted(scaled, 48)
  while (series.length < 768 && !settled(series)) series = fitted(scaled, series.length * 2)
  return (k) => seriesAt(series, (Math.log(k) - middle) / half) / (k * k)
}

function settled(series: Float64Array): boolean {
  let [most, last] = [0, 0]
  for (const [n, c] of series.entries()) {
    most = Math.max(most, Math.abs(c))
    if (n >= series.length - 4) last = Math.max(last, Math.abs(c))
  }
  return last <= precise * most
}
