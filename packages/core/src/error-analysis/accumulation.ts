/**
 * The error of adding up terms, for each way of adding that a report can name.
 *
 * Roundings of partial sums behave like independent random numbers, unless the terms are alike: then each addition rounds
 * the same way. So the bound has two parts: a random walk, and the mean rounding of these terms on the grids of the partial
 * sums, computed from the terms themselves.
 *
 * @source N. J. Higham and T. Mary, A new approach to probabilistic rounding error analysis, SIAM J. Sci. Comput. 41 (2019) A2815
 * @module
 */
import type { Report } from '../backend.ts'
import type { Arithmetic } from './arithmetic.ts'

/** Terms in a chain of additions, by the rule that backends follow when they report `block`. */
const blockTerms = 256

/**
 * The step of the random walk, in units of roundoff of the whole sum. The roundings of a chain that grows evenly to this sum
 * deviate by a quarter of that, so the bound is four deviations; for a chain that begins with its largest term, two and a half.
 */
const step = 1

/** The share of the mean roundings by which chains of these lengths may be systematically off. */
const chainLengths = [32, 64, 128, 256]

/**
 * The bound of one component's sum.
 *
 * @param terms the terms that count, in any order
 */
export function accumulationError(
  accumulation: Report['accumulation'],
  terms: Float64Array,
  { unit }: Arithmetic,
): number {
  let [size, squares, count, total] = [0, 0, 0, 0]
  for (const t of terms) {
    if (t === 0) continue
    size += Math.abs(t)
    squares += t * t
    total += t
    count++
  }
  const last = 2 * unit * Math.abs(total)
  if (count < 2 || accumulation === 'compensated') return last
  const walk = (chain: number, squaredSums: number) => step * unit * Math.sqrt(chain * squaredSums)
  if (accumulation !== 'block')
    return last + walk(count, size * size) + 2 * meanRounding(terms, gridOf(size, unit), count)
  const chain = Math.min(count, Math.max(blockTerms, count / blockTerms))
  const chains = Math.max(1, count / chain)
  const shares = Math.min(1, chain / count) * size * size + squares
  const random = walk(chain, Math.min(size * size, shares)) + (chains > 1 ? walk(chains, size * size) : 0)
  return last + random + 2 * blockRounding(terms, size, count, unit)
}

/** The spacing of numbers of this size. */
const gridOf = (size: number, unit: number): number => 2 * unit * 2 ** Math.floor(Math.log2(size || 1))

/** The total loss when each term is rounded to a grid: that of sums of this size, and of sums half as large. */
function meanRounding(terms: Float64Array, grid: number, count: number): number {
  let most = 0
  for (const g of [grid, grid / 2]) {
    if (!(g > 0 && Number.isFinite(g))) continue
    let lost = 0
    for (const t of terms) lost += t - g * Math.round(t / g)
    most = Math.max(most, Math.abs(lost))
  }
  return Math.min(most, count * grid)
}

/** The same for several chains, one of which holds the largest term, and for the sum of the chains. */
function blockRounding(terms: Float64Array, size: number, count: number, unit: number): number {
  const largest = terms.reduce((a, t) => Math.max(a, Math.abs(t)), 0)
  const besideLargest = meanRounding(terms, gridOf(largest, unit), count) / count
  let most = 0
  for (const length of chainLengths) {
    const chain = Math.min(length, count)
    const inChains = meanRounding(terms, gridOf((size * chain) / count, unit), count) + chain * besideLargest
    const sums = new Float64Array(Math.ceil(terms.length / chain))
    for (let n = 0; n < terms.length; n++) {
      const at = Math.floor(n / chain)
      sums[at] = (sums[at] as number) + (terms[n] as number)
    }
    const ofChains = sums.length > 1 ? meanRounding(sums, gridOf(size, unit), sums.length) : 0
    most = Math.max(most, inChains + ofChains)
  }
  return most
}
