/**
 * Terms added up, component by component; a NaN makes the sum NaN. State: the sum so far.
 *
 * @module
 */
import { type Combine, combineEach, type ReductionRule } from './rule.ts'

export const sum: ReductionRule = { results: { value: 0 }, width: 'components', ordered: true, linear: true }

export const combineSum: Combine = (a, b) => combineEach(a, b, (x, y) => x + y)
