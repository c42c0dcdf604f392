/**
 * Every term kept: a row of a matrix. State: the row, 0 where no pair was met.
 *
 * @module
 */
import { type Combine, combineEach, type ReductionRule } from './rule.ts'

export const none: ReductionRule = { results: { value: 0 }, width: 'sources' }

/** Each pair is in one of the parts at most. */
export const combineNone: Combine = (a, b) => combineEach(a, b, (x, y) => (x === 0 ? y : x))
