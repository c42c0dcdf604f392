/**
 * `log sum exp(term)`; a NaN makes it NaN. State: the largest term so far, and the sum of `exp(term - largest)`, so that
 * nothing overflows.
 *
 * @module
 */
import { accumulationError } from '../error-analysis/accumulation.ts'
import { distances, inReference, only } from '../error-analysis/judging.ts'
import { counts } from '../error-analysis/terms.ts'
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
  judge(terms, out, truth, { arithmetic, accumulation }) {
    const [name, expected] = only(truth)
    const [value = 0] = Array.from(expected)
    const exponential = arithmetic.local('exp')
    const weights = new Float64Array(terms.length)
    let [error, largest, records] = [0, Number.NEGATIVE_INFINITY, 0]
    for (let n = 0; n < terms.length; n++) {
      const term = terms.values[0]?.[n] as number
      const weight = Math.exp(term - value)
      const rounded = arithmetic.unit * Math.abs(term - value) * weight + exponential(weight, term - value, 0)
      const size = terms.errors[0]?.[n] as number
      if (inReference(terms, n)) weights[n] = weight
      error +=
        rounded + (terms.certainty[n] === counts.surely ? 0 : weight) + (size > 0 ? weight * Math.expm1(size) : 0)
      if (term > largest) [largest, records] = [term, records + 1]
    }
    // Whenever a larger term is met, what was added up is multiplied by an exponential.
    const rescaled = (records + Math.log2(terms.length + 1)) * (exponential(1, 1, 0) + arithmetic.unit)
    const relative = error + rescaled + accumulationError(accumulation, weights, arithmetic)
    const logarithm = arithmetic.local('log')
    const rest = value - largest
    const bound =
      (relative < 1 ? -Math.log1p(-relative) : Number.POSITIVE_INFINITY) +
      logarithm(rest, Math.exp(rest), 0) +
      2 * arithmetic.unit * Math.abs(value)
    return { [name]: { errors: distances(out[name], expected), bounds: [terms.length === 0 ? 0 : bound] } }
  },
}
