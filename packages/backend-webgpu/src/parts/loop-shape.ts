/**
 * One shape of the pair loop, as data: where sources are held, and the sizes of the loop. Which shape is fast is the
 * affair of `plan.ts`.
 *
 * @module
 */

export interface LoopShape {
  /** Where sources are held while they are visited: nowhere, in workgroup memory, or in registers of a subgroup. */
  readonly staging: 'storage' | 'workgroup' | 'subgroup'
  /** Whether a separate dispatch packs sources into vectors first. */
  readonly packed: boolean
  /** Invocations in a workgroup. */
  readonly workgroup: number
  /** Targets of one invocation. */
  readonly targets: number
  /** Sources visited per step of the inner loop. */
  readonly unroll: number
  /** Parts that a workgroup splits its sources into. */
  readonly slices: number
  /** Whether the grid splits sources, so that folds are written in parts. */
  readonly split: boolean
  /** Whether sums are kept per tile, or per 256 sources, before they join the total: more exact, at the cost of registers. */
  readonly blocks: boolean
  /** Sources of a group, whose least term is written for a selection afterwards; 0 where terms are folded. */
  readonly group: number
  /** Whether workgroups go on to further targets, in strides of the grid. */
  readonly gridStride: boolean
}

/** Targets of one workgroup. */
export const targetsPerGroup = (shape: LoopShape): number => (shape.workgroup / shape.slices) * shape.targets
