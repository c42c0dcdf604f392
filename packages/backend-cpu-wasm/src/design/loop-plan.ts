/**
 * How a loop visits pairs, and the numbers that decide what it looks like. Plans choose it, and compilers write it.
 *
 * @module
 */
import type { Guard } from '@manybody/core/backend'

export interface LoopPlan {
  /** Whether products and sums may be fused. */
  readonly fused: boolean
  /** Number of registers of targets in the inner loop; by default `registersFor` decides. */
  readonly registers: number | undefined
  /** Number of sources in a tile. */
  readonly tile: number
  /** How whole runs visit pairs. */
  readonly visit: Visit
  /** By blocks: the most blocks of a node of the targets' tree that is in one unit as a whole. */
  readonly unitBlocks: number
}

/** All pairs; each pair once; pairs of blocks that are near each other; or those in the ranges that the caller gives. */
export type Visit = 'all' | 'once' | 'blocks' | 'ranges'

/** Default number of sources in a tile: their values fit the first-level cache, and errors of sums are about the least. */
export const tileSources = 256

/** The usual number of blocks in a unit. */
export const leastUnitBlocks = 32

/** The choices that, with the workload, determine a loop. */
export interface LoopOptions extends LoopPlan {
  readonly guard: Guard
  /** Whether forces are divided by the inertia of each target at the end. */
  readonly divides: boolean
  /** Whether lists of near sources may last for several rounds of a sequence. */
  readonly lasts: boolean
}
