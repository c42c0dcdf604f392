/**
 * The transform of a smooth part as a table, because a grid has many frequencies, and the transform takes some thousand values of the law
 * for each. In periodic space it is a series in the logarithm of the frequency; in open space, series of pieces.
 *
 * @module
 */
import { fitted, fittedUntil, seriesAt } from './chebyshev.ts'

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
  const series = fittedUntil(scaled, 48, 768, settled)
  return (k) => seriesAt(series, (Math.log(k) - middle) / half) / (k * k)
}

/** The series of one piece of a band-limited table, and the length of a piece in periods of the fastest oscillation. */
const [pieceTerms, piecePeriods] = [28, 1.5]

/** The transform of a function that ends at a radius, from 0 to a frequency: it oscillates no faster than the radius tells. */
export function bandLimitedTable(
  transform: (k: number) => number,
  highest: number,
  radius: number,
): (k: number) => number {
  const count = Math.max(1, Math.ceil((highest * radius) / (2 * Math.PI * piecePeriods)))
  const length = highest / count
  const pieces: Float64Array[] = []
  return (k) => {
    const n = Math.min(count - 1, Math.floor(k / length))
    pieces[n] ??= fitted((x) => transform((n + (x + 1) / 2) * length), pieceTerms)
    return seriesAt(pieces[n], (2 * k) / length - 2 * n - 1)
  }
}

function settled(series: Float64Array): boolean {
  let [most, last] = [0, 0]
  for (const [n, c] of series.entries()) {
    most = Math.max(most, Math.abs(c))
    if (n >= series.length - 4) last = Math.max(last, Math.abs(c))
  }
  return last <= precise * most
}
