/**
 * The number of pairs that count. State: the number so far.
 *
 * @module
 */
import { type Combine, combineEach, type ReductionRule } from './rule.ts'

export const count: ReductionRule = { results: { count: 0 }, width: 1, termless: true }

export const combineCount: Combine = (a, b) => combineEach(a, b, (x, y) => x + y)
