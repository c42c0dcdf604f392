/**
 * One shape of the pair loop, as data: where it holds sources, and its sizes. `plans/` decides which shape is fast.
 *
 * @module
 */

export interface LoopShape {
  /** Where sources are held while they are visited: only in storage, in workgroup memory, or in registers of a subgroup. */
  readonly staging: 'storage' | 'workgroup' | 'subgroup'
  /** Whether a separate dispatch packs sources into vectors first. */
  readonly packed: boolean
  /** Number of invocations in a workgroup. */
  readonly workgroup: number
  /** Number of targets of one invocation. */
  readonly targets: number
  /** Sources visited per step of the inner loop. */
  readonly unroll: number
  /** Number of slices into which a workgroup splits its sources. */
  readonly slices: number
  /** Whether the grid splits the sources, so that the loop writes partial folds. */
  readonly split: boolean
  /** Whether sums are kept per tile, or per 256 sources, and then added to the total: more exact, but takes registers. */
  readonly blocks: boolean
  /** Sources of a group, whose least term the loop writes for a selection afterwards; 0 if it folds terms. */
  readonly group: number
  /** Whether workgroups continue with further targets, in strides of the grid. */
  readonly gridStride: boolean
}

/** Number of targets of one workgroup. */
export const targetsPerGroup = (shape: LoopShape): number => (shape.workgroup / shape.slices) * shape.targets
