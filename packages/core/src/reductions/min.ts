/**
 * The least term; a NaN is never the least. State: the least so far.
 *
 * @module
 */
import { type Combine, combineEach, type ReductionRule } from './rule.ts'

export const min: ReductionRule = { results: { value: Number.POSITIVE_INFINITY }, width: 1 }

export const combineMin: Combine = (a, b) => combineEach(a, b, Math.min)
