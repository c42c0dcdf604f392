/**
 * One shape of the pair loop, as data: where it holds sources, and its sizes. `plans/` decides which shape is fast.
 *
 * @module
 */

export interface LoopShape {
  /**
   * Where sources are held while they are visited: only in storage, in workgroup memory, or in registers of a subgroup. In `components`,
   * workgroup memory also holds some components of the vectors of both points, and in `numbers` the functions of vectors of all pairs
   * of a tile as well.
   */
  readonly staging: 'storage' | 'workgroup' | 'subgroup' | 'components' | 'numbers'
  /** Whether a separate dispatch packs sources into vectors first. */
  readonly packed: boolean
  /** Number of invocations in a workgroup. */
  readonly workgroup: number
  /** Number of targets of one invocation. */
  readonly targets: number
  /** Sources visited per step of the inner loop; in `components`, the sources of an invocation in a tile; in `numbers`, those of a tile. */
  readonly unroll: number
  /** Number of slices that a workgroup divides its sources into. */
  readonly slices: number
  /** Whether the grid splits the sources, so that the loop writes partial folds. */
  readonly split: boolean
  /** Whether sums are kept per tile, or per 256 sources, and then added to the total: more exact, but takes registers. */
  readonly blocks: boolean
  /** Number of sources of a group. The loop writes the least term of each group for a selection afterwards; 0 if it folds terms. */
  readonly group: number
  /** Whether workgroups continue with further targets, in strides of the grid. */
  readonly gridStride: boolean
}

/** The sizes of a loop over blocks. */
export interface BlockPlan {
  /** Number of targets of a workgroup. */
  readonly targets: number
  readonly shape: LoopShape
}

/** One shape of the loop that meets each pair once. */
export interface OnceShape {
  /** Number of invocations in a subgroup, which is also the workgroup. */
  readonly subgroup: number
  /** Number of targets of one invocation. */
  readonly targets: number
  /**
   * Turns of the points round the subgroup in a step of the inner loop: a divisor of the subgroup's size. 0 if the targets are
   * visited by a loop as well, with bounds that the driver does not know. A driver then compiles in a third of the time, and a
   * device computes 5 times as long, with the same operations in the same order.
   */
  readonly unroll: number
}

/** Length of the longest list to keep in registers. */
export const mostInRegisters = 16

/** Number of sources in a block. A loop without workgroup memory keeps the sums of blocks apart. */
export const blockLength = 256

/** Number of targets of a workgroup of the second reduction, and of a selection of neighbours. */
export const targetsPerCombine = 32
export const targetsPerSelection = 32

/** Number of lists of a workgroup that sorts them. */
export const listsPerSort = 8

/** Number of targets of one workgroup. */
export const targetsPerGroup = (shape: LoopShape): number => (shape.workgroup / shape.slices) * shape.targets

/** Number of places in a tile of the loop over blocks. A tile with fewer sources than invocations takes another round of sources, one per invocation. */
export const tileLength = (workgroup: number): number => 2 * workgroup
/** Number of tiles in a block of sums. The sum of a block is then added to the total. Tiles are small, so that many fit a device. */
export const tilesPerSum = (workgroup: number): number => Math.max(1, 256 / workgroup)
