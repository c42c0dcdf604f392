/**
 * How long a step may be: the time in which the acceleration of a point changes notably, from its first and second derivatives. The point
 * with the fastest change decides, so that an encounter of two small bodies shortens steps beside a star, too.
 *
 * @source D. Pham, H. Rein and D. S. Spiegel, Open J. Astrophys. 7 (2024) 1
 * @module
 */
import { degree, type Series } from './polynomials.ts'

/** A step is repeated if the next one is shorter than this share of it, and the next one is at most as much longer. */
export const mostChange = 0.25

/** By how much the next step may be longer. @param start the force at the start @param epsilon the accuracy of the paper */
export function growthAfter(start: Float64Array, terms: Series, dimension: number, epsilon: number): number {
  let least = Number.POSITIVE_INFINITY
  for (let point = 0; point < start.length; point += dimension) {
    let [value, slope, bend] = [0, 0, 0]
    for (let k = point; k < point + dimension; k++) {
      let [own, first, second] = [start[k] as number, 0, 0]
      for (let m = 0; m < degree; m++) {
        const term = (terms[m] as Float64Array)[k] as number
        own += term
        first += (m + 1) * term
        second += m * (m + 1) * term
      }
      value += own ** 2
      slope += first ** 2
      bend += second ** 2
    }
    const square = (2 * value) / (slope + Math.sqrt(value * bend))
    // A point without a force does not count.
    if (square > 0 && square < least) least = square
  }
  const growth = Math.sqrt(least) * (5040 * epsilon) ** (1 / degree)
  return Number.isFinite(growth) ? growth : 1 / mostChange
}
