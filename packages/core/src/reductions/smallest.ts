/**
 * The `k` least distances and their sources, ascending, equal ones in the order of sources. State: both so far, index -1
 * where fewer than `k` were met.
 *
 * @module
 */
import { combineRanked } from './combine-ranked.ts'
import type { Combine, ReductionRule } from './rule.ts'

export const smallest: ReductionRule = {
  results: { index: -1, distance: Number.POSITIVE_INFINITY },
  width: 'k',
}

export const combineSmallest: Combine = (a, b, { k }) => combineRanked(a, b, 'distance', 1, k)
