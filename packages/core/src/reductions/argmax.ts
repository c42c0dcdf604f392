/**
 * The greatest term and the first source that has it; a NaN is never the greatest. State: both so far, index -1 at first.
 *
 * @module
 */
import { combineRanked } from './combine-ranked.ts'
import type { Combine, ReductionRule } from './rule.ts'

export const argmax: ReductionRule = { results: { index: -1, value: Number.NEGATIVE_INFINITY }, width: 1 }

export const combineArgmax: Combine = (a, b) => combineRanked(a, b, 'value', -1)
