/**
 * Keeps every term: a row of a matrix. State: the row, 0 for pairs that do not count.
 *
 * @module
 */
import { type Combine, combineEach, type ReductionRule } from './rule.ts'

export const none: ReductionRule = { results: { value: 0 }, width: 'sources' }

/** At most one of the parts has the pair. */
export const combineNone: Combine = (a, b) => combineEach(a, b, (x, y) => (x === 0 ? y : x))
