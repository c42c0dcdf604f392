/**
 * `log sum exp(term)`; a NaN makes it NaN. State: the largest term so far, and the sum of `exp(term - largest)`, so that
 * nothing overflows.
 *
 * @module
 */
import { accumulationError } from '../error-analysis/accumulation.ts'
import type { Arithmetic } from '../error-analysis/arithmetic.ts'
import { distanceFrom, inReference, only } from '../error-analysis/judging.ts'
import { computed, sumLoss, totalOf } from '../error-analysis/losses.ts'
import { quadrature, times } from '../error-analysis/parts.ts'
import { boundOf } from '../error-analysis/sums.ts'
import { counts, type Terms } from '../error-analysis/terms.ts'
import { combineEach, type ReductionDefinition, raise } from './definition.ts'

export const logsumexp: ReductionDefinition = {
  fold(_, value) {
    const sums = Float64Array.from(value, (earlier) => (earlier === Number.NEGATIVE_INFINITY ? 0 : 1))
    return {
      add(row, _, [term = 0]) {
        const largest = value[row] as number
        const sum = sums[row] as number
        if (term > largest) {
          sums[row] = sum * Math.exp(largest - term) + 1
          value[row] = term
        } else if (term !== Number.NEGATIVE_INFINITY) {
          // The difference of equal infinities would be NaN.
          sums[row] = sum + (term === largest ? 1 : Math.exp(term - largest))
        }
      },
      finish() {
        for (const [row, sum] of sums.entries()) raise(value, row, Math.log(sum))
      },
    }
  },
  combine: (a, b) =>
    // The difference of equal infinities would be NaN.
    combineEach(a, b, (x, y) => (x === y ? x + Math.LN2 : Math.max(x, y) + Math.log1p(Math.exp(-Math.abs(x - y))))),
  judge(terms, out, truth, { arithmetic, report }) {
    const [name, expected] = only(truth)
    const [value = 0] = Array.from(expected)
    const summed = weighted(terms, value, arithmetic)
    const relative = boundOf(summed, accumulationError(report, summed.weights, arithmetic, summed.largest))
    // The weights add up to 1 but for the losses of the reference.
    const [high, low] = totalOf(summed.weights, summed.lost)
    const lost = computed(Math.log1p(high - 1 + low))
    const rest = value - summed.largestTerm
    const bound =
      (relative < 1 ? -Math.log1p(-relative) : Number.POSITIVE_INFINITY) +
      arithmetic.local('log')(rest, Math.exp(rest), 0) +
      2 * arithmetic.unit * Math.abs(value)
    const errors = [distanceFrom(out[name]?.[0], [value, lost])]
    return { [name]: { errors, bounds: [terms.length === 0 ? 0 : bound] } }
  },
}

/** The weights `exp(term - value)`, the losses of float64 in them, and the errors of their sum, which is 1. */
function weighted(terms: Terms, value: number, arithmetic: Arithmetic) {
  const exponential = arithmetic.local('exp')
  const shrinks = shrinksOf(terms)
  const [weights, lost] = [new Float64Array(terms.length), new Float64Array(terms.length)]
  let [largest, systematic, squares, largestTerm] = [0, 0, 0, Number.NEGATIVE_INFINITY]
  const column = (columns: Terms['errors'], n: number) => columns[0]?.[n] as number
  for (let n = 0; n < terms.length; n++) {
    const term = column(terms.values, n)
    const [weight, below] = [Math.exp(term - value), term - value]
    if (inReference(terms, n)) {
      weights[n] = weight
      lost[n] = computed(weight * (sumLoss(term, -value) + column(terms.lost, n)))
    }
    largestTerm = Math.max(largestTerm, term)
    // All exponentials that multiply a term add up to this one.
    const functions = exponential(weight, below, 0) + (shrinks[n] as number) * exponential(1, 0, 0) * weight
    const difference = arithmetic.unit * Math.abs(below) * weight
    const error = column(terms.errors, n)
    const moved = error > 0 ? weight * Math.expm1(error) : 0
    const decided = terms.certainty[n] === counts.surely ? 0 : weight
    const linear = decided === 0 && error <= 2 ** -10
    largest += functions + difference + moved + decided
    systematic += functions + decided + (linear ? times(weight, column(terms.systematic, n) + error * error) : moved)
    squares += (linear ? quadrature(weight * column(terms.random, n), difference) : difference) ** 2
  }
  return { weights, lost, largestTerm, largest, systematic, random: Math.sqrt(terms.alike * squares) }
}

/**
 * How often each term is multiplied by an exponential, because a larger term was met: by later terms of its chain, and when
 * chains are merged. Each time there is another larger term, so it is no more often than there are larger terms.
 */
function shrinksOf(terms: Terms): Float64Array {
  const values = terms.values[0]?.subarray(0, terms.length) ?? new Float64Array()
  const order = Float64Array.from(values).sort()
  const merges = Math.ceil(Math.log2(terms.length + 1))
  const shrinks = new Float64Array(terms.length)
  let [largest, records] = [Number.NEGATIVE_INFINITY, 0]
  for (const [n, value] of values.entries()) {
    if (value > largest) [largest, records] = [value, records + 1]
    shrinks[n] = -records
  }
  for (const [n, value] of values.entries())
    shrinks[n] = Math.min((shrinks[n] as number) + records + merges, larger(order, value))
  return shrinks
}

/** How many numbers of an ascending array are larger than `value`. */
function larger(ascending: Float64Array, value: number): number {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ascending[middle] as number) > value) high = middle
    else low = middle + 1
  }
  return ascending.length - low
}
