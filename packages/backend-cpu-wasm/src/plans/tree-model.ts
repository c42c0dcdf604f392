/**
 * Which sums can be approximated here, and from when on that is faster than all pairs.
 *
 * @module
 */
import type { PairWorkload, Shape } from '@manybody/core'
import { reductions } from '@manybody/core/backend'
import { simd } from '../host/features.ts'

/** Sums without exclusions over coordinates of one number each. Core tells whether the law allows it. */
export function approximates(workload: PairWorkload, { split }: Shape): boolean {
  return reductions[workload.reduction].linear === true && workload.domain.exclusions.length === 0 && !split && simd()
}

/** What a pair of a tree costs, and what a target costs besides, in pairs of the loop over all. */
const [pair, target] = [1.85, 600]
/** What a pair costs there if each is visited once. */
const once = 0.65

/** The share of all pairs below which a tree is faster. */
export function treeShare(sources: number, visitsOnce: boolean): number {
  return Math.max(0, (sources * (visitsOnce ? once : 1) - target) / (pair * sources))
}
