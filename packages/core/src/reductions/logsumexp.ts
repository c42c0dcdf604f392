/**
 * `log sum exp(term)`; a NaN makes it NaN. State: the largest term so far, and the sum of `exp(term - largest)`, so that
 * nothing overflows.
 *
 * @module
 */
import { type Combine, combineEach, type ReductionRule } from './rule.ts'

export const logsumexp: ReductionRule = {
  results: { value: Number.NEGATIVE_INFINITY },
  width: 1,
  ordered: true,
}

export const combineLogSumExp: Combine = (a, b) =>
  // The difference of equal infinities would be NaN.
  combineEach(a, b, (x, y) => (x === y ? x + Math.LN2 : Math.max(x, y) + Math.log1p(Math.exp(-Math.abs(x - y)))))
