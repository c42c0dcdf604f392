/**
 * The choices about a loop: how it visits pairs, and its sizes. Plans make them, and compilers write the loop.
 *
 * @module
 */

import type { Guard } from '@manybody/core/backend'
import type { ProgramDesign } from './design.ts'

export interface LoopPlan {
  /** Whether products and sums may be fused. */
  readonly fused: boolean
  /** Number of registers of targets in the inner loop; by default `registersFor` decides. */
  readonly registers: number | undefined
  /** Number of sources in a tile. */
  readonly tile: number
  /** How whole runs visit pairs. */
  readonly visit: Visit
  /** By blocks: a node of the targets' tree with at most this many blocks lies in one unit as a whole. */
  readonly unitBlocks: number
}

/** All pairs; each pair once; pairs of blocks that are near each other; or pairs in ranges from the caller. */
export type Visit = 'all' | 'once' | 'blocks' | 'ranges'

/** Default number of sources in a tile: their values fit the first-level cache, and errors of sums are about the least. */
export const tileSources = 256

/** With fewer points, no plan visits each pair once by itself. */
export const fewestOnce = 256

/** The usual number of blocks in a unit. */
export const leastUnitBlocks = 32

/** The choices that, with the workload, determine a loop. */
export interface LoopOptions extends LoopPlan {
  readonly guard: Guard
  /** Whether forces are divided by the inertia of each target at the end. */
  readonly divides: boolean
  /** Whether to add Verlet lists, which a sequence reuses for several rounds. */
  readonly lasts: boolean
  /** Whether pairs are looked for by the sizes of points, and not within the longest reach of any pair. */
  readonly sized?: true | undefined
}

/** Most targets that one unit of the phase `pairs` meets. */
export const unitTargets = ({ phases }: ProgramDesign): number => phases.find(({ pairs }) => pairs)?.points ?? 1
