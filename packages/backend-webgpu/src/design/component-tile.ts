/**
 * The sizes of a tile of pairs that meet component by component, and the workgroup memory that it takes.
 *
 * @module
 */
import type { LoopShape } from './loop-shape.ts'

/** Targets and sources of an invocation are multiples of 4. */
export interface TileSizes {
  /** Invocations that have other targets, and those that have other sources; a workgroup has one for each pair of these. */
  readonly members: number
  readonly slices: number
  /** Targets of an invocation, `members` apart. */
  readonly targets: number
  /** Sources of an invocation, `slices` apart. */
  readonly sources: number
}

type Sizes = Pick<LoopShape, 'workgroup' | 'slices' | 'targets' | 'unroll'>

/** The tile of a loop that keeps functions of vectors in registers. */
export const tileInRegisters = ({ workgroup, slices, targets, unroll }: Sizes): TileSizes => ({
  ...{ members: workgroup / slices, slices },
  ...{ targets, sources: unroll },
})

/** That of a loop that keeps them in workgroup memory. Some invocations compute them, each for four targets and four sources. */
export const tileInMemory = ({ workgroup, slices, unroll }: Omit<Sizes, 'targets'>): TileSizes => ({
  ...{ members: workgroup / slices / 4, slices: unroll / 4 },
  ...{ targets: 4, sources: 4 },
})

/** The most vectors of one function that belong to a target, and to a source. */
export type VectorCounts = readonly [targets: number, sources: number]

/** The most components in workgroup memory, over all vectors of one side. */
const mostComponents = 8

/** Components in workgroup memory at once: each invocation loads at most four numbers of each vector. */
export const componentsAtOnce = ({ members, slices, targets, sources }: TileSizes, counts: VectorCounts): number =>
  Math.floor(
    Math.min(Math.max(1, mostComponents / Math.max(...counts)), (4 * slices) / targets, (4 * members) / sources),
  )

/** Vectors of four that hold one component of all points of a side. One more is left out, so that the next component lies in other banks. */
export const componentStride = (invocations: number, each: number): number => (invocations * each) / 4 + 1

/** Bytes of workgroup memory for components. */
export function componentBytes(sizes: TileSizes, counts: VectorCounts): number {
  const { members, slices, targets, sources } = sizes
  const fours = counts[0] * componentStride(members, targets) + counts[1] * componentStride(slices, sources)
  return 16 * componentsAtOnce(sizes, counts) * fours
}
