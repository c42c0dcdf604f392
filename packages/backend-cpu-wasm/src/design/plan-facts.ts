/**
 * Facts about a law that the runtime needs beside the workload itself, as data. A compiler derives them once.
 *
 * @module
 */
import type { GuardRule } from '@manybody/core/backend'

export interface PlanFacts {
  readonly guard: GuardRule
  /** Absent if its loop visits elements. */
  readonly pair?: PairFacts | undefined
}

export interface PairFacts {
  /** Why pairs cannot be visited once; undefined if they can. */
  readonly onceObstacle?: string | undefined
  /** Whether pairs can be visited by blocks that are near each other. */
  readonly blocks: boolean
  /** Whether blocks can look for pairs by the sizes of points. */
  readonly sized?: true | undefined
  /** How many nearest sources a target keeps; undefined if it needs all within its cutoff. */
  readonly kept?: number | undefined
  /** Whether each pair has one force, which the inertia of each target divides. */
  readonly cancelsInertia: boolean
  /** Number of results for each target. */
  readonly perTarget: number
  /** Whether proxies may replace far sources, if the law allows it. */
  readonly linear: boolean
}
