/**
 * The error of adding up terms, for each way of adding that a report can name.
 *
 * Roundings of partial sums behave like independent random numbers, unless the terms are alike: then each addition rounds
 * the same way. So the error has a random part, from the sizes of the partial sums, and a systematic one. The systematic part is the
 * mean rounding of these terms on the grids of the partial sums, computed from the terms themselves.
 *
 * @source N. J. Higham and T. Mary, A new approach to probabilistic rounding error analysis, SIAM J. Sci. Comput. 41 (2019) A2815
 * @module
 */
import type { Report } from '../../contract/backend.ts'
import type { Arithmetic } from './arithmetic.ts'
import { equalTermsError } from './equal-terms.ts'
import type { SumError } from './sums.ts'

/** Terms in a chain of additions, by the rule that backends follow when they report `block`. */
const blockTerms = 256

/** Lengths of chains. In chains of any of these lengths, mean roundings may add up systematically. */
const chainLengths = [32, 64, 128, 256]

/**
 * The error of one component's sum.
 *
 * @param terms the terms that count, in any order
 * @param error the error of all terms together
 * @param factors a device may divide the terms by any of these, and multiply the sum by it: the terms then meet other grids
 */
export function accumulationError(
  report: Pick<Report, 'accumulation' | 'chains'>,
  terms: Float64Array,
  arithmetic: Arithmetic,
  error: number,
  factors: readonly number[] = [1],
): SumError {
  const worst = { largest: 0, systematic: 0, random: 0 }
  for (const factor of factors) {
    const divided = factor === 1 ? terms : terms.map((t) => t / factor)
    const one = additionError(report, divided, arithmetic, error / factor)
    worst.largest = Math.max(worst.largest, factor * one.largest)
    worst.systematic = Math.max(worst.systematic, factor * one.systematic)
    worst.random = Math.max(worst.random, factor * one.random)
  }
  return worst
}

function additionError(
  { accumulation, chains }: Pick<Report, 'accumulation' | 'chains'>,
  terms: Float64Array,
  { unit, single }: Arithmetic,
  error: number,
): SumError {
  let [size, squares, count, total, first] = [0, 0, 0, 0, 0]
  for (const t of terms) {
    if (t === 0) continue
    const part = Math.abs(t)
    size += part
    squares += t * t
    total += t
    first = Math.max(first, part)
    count++
  }
  // The sum is scaled and stored.
  const stored = 2 * unit * Math.abs(total)
  const exact = accumulation === 'compensated' || (accumulation === 'f64' && single)
  if (count < 2 || exact) return { largest: stored, systematic: stored, random: 0 }
  // In any order, a partial sum is at most as large as all terms of one sign.
  const reach = (size + Math.abs(total)) / 2
  const largest = stored + (count - 1) * unit * reach
  if (equal(terms, single)) {
    const lost = (lengths: readonly number[]) => equalTermsError(first, error / count, count, unit, lengths)
    const inAll = single
      ? lost(accumulation === 'block' ? (chains ?? usualChains(count)) : [count])
      : Math.max(...float64Chains.map((n) => lost([count / n, n])))
    return { largest, random: 0, systematic: stored + inAll }
  }
  if (accumulation !== 'block') {
    const random = unit * Math.sqrt(count * evenly(reach, first))
    return { largest, random, systematic: stored + 2 * meanRounding(terms, gridOf(size, unit), count) }
  }
  // Each level adds up parts, at first the terms, in chains of a length. In the worst order, a chain has terms of one sign only,
  // and begins with the largest part.
  let [variance, parts, squaredParts] = [0, count, squares]
  for (const length of chains ?? usualChains(count)) {
    const chain = Math.min(length, parts)
    if (chain <= 1) continue
    const sums = parts / chain
    const sum = Math.min(reach, size / sums)
    variance += Math.min(chain * (sums * evenly(sum, 0) + squaredParts), parts * reach * reach)
    parts = sums
    squaredParts = sums * sum * sum + squares
  }
  return {
    largest,
    random: unit * Math.sqrt(variance),
    systematic: stored + 2 * blockRounding(terms, size, count, unit, chains),
  }
}

/** The chains of a backend that does not say. */
const usualChains = (count: number): readonly number[] => [Math.max(blockTerms, count / blockTerms), count]

/** In how many chains a device may add up float64 terms: one for each lane and register. */
const float64Chains = [1, 2, 4, 8, 16, 32]

/** Whether all terms that are not 0 are the same number of the format. */
function equal(terms: Float64Array, single: boolean): boolean {
  let first = 0
  for (const t of terms) {
    const stored = single ? Math.fround(t) : t
    if (first === 0) first = stored
    else if (t !== 0 && stored !== first) return false
  }
  return true
}

/** The mean square of partial sums that begin with the largest term and grow evenly to `sum`. */
const evenly = (sum: number, first: number): number => first * sum + (sum - first) ** 2 / 3

/** The spacing of numbers of this size. */
const gridOf = (size: number, unit: number): number => 2 * unit * 2 ** Math.floor(Math.log2(size || 1))

/**
 * The total loss when each term is rounded to a grid: the grid of sums of this size, or of sums half as large. The total that
 * independent losses would reach is subtracted, because the random part contains it.
 */
function meanRounding(terms: Float64Array, grid: number, count: number): number {
  let most = 0
  for (const g of [grid, grid / 2]) {
    if (!(g > 0 && Number.isFinite(g))) continue
    let [lost, squares] = [0, 0]
    for (const t of terms) {
      const loss = t - g * Math.round(t / g)
      lost += loss
      squares += loss * loss
    }
    most = Math.max(most, Math.abs(lost) - 3 * Math.sqrt(squares))
  }
  return Math.min(most, count * grid)
}

/** The same for several chains and for the sum of the chains. One of the chains holds the largest term. */
function blockRounding(
  terms: Float64Array,
  size: number,
  count: number,
  unit: number,
  chains: readonly number[] | undefined,
): number {
  const largest = terms.reduce((a, t) => Math.max(a, Math.abs(t)), 0)
  const besideLargest = meanRounding(terms, gridOf(largest, unit), count) / count
  let most = 0
  for (const length of chains?.slice(0, 1) ?? chainLengths) {
    const chain = Math.min(length, count)
    const inChains = meanRounding(terms, gridOf((size * chain) / count, unit), count) + chain * besideLargest
    const sums = new Float64Array(Math.ceil(terms.length / chain))
    for (let n = 0; n < terms.length; n++) {
      const at = Math.floor(n / chain)
      sums[at] = (sums[at] as number) + (terms[n] as number)
    }
    const exact = sums.length < 2 || chains?.length === 1
    most = Math.max(most, inChains + (exact ? 0 : meanRounding(sums, gridOf(size, unit), sums.length)))
  }
  return most
}
