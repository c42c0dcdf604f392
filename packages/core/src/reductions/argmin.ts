/**
 * The least term and the first source that has it; a NaN is never the least. State: both so far, index -1 at first.
 *
 * @module
 */
import { combineRanked } from './combine-ranked.ts'
import type { Combine, ReductionRule } from './rule.ts'

export const argmin: ReductionRule = { results: { index: -1, value: Number.POSITIVE_INFINITY }, width: 1 }

export const combineArgmin: Combine = (a, b) => combineRanked(a, b, 'value', 1)
