/**
 * The greatest term; a NaN is never the greatest. State: the greatest so far.
 *
 * @module
 */
import { type Combine, combineEach, type ReductionRule } from './rule.ts'

export const max: ReductionRule = { results: { value: Number.NEGATIVE_INFINITY }, width: 1 }

export const combineMax: Combine = (a, b) => combineEach(a, b, Math.max)
