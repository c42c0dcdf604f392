/**
 * The memory in which points are put in order: a record of each point, which moves to its place, and a task for each part of
 * them that a thread cuts by itself.
 *
 * @module
 */
import { blockCount, blockPoints, deepest } from '@manybody/core/near'
import type { CoordinateBytes } from './design.ts'

/**
 * Bytes of a record. It has `x, y, z`, and then `u32` twice the number of the point, and 1 more if a coordinate is not finite.
 */
export const recordBytes = (bytes: CoordinateBytes): number => 4 * bytes
export const numberAt = (bytes: CoordinateBytes): number => 3 * bytes
/** Bytes of a task: `u32` the first place, the place after the last, and the node. The tasks of a level follow each other. */
export const taskBytes = 16

/** Byte offsets of the numbers of a periodic box: its lengths and their inverses. Two may be read from the last of either. */
export const spaceNumbers: { readonly lengths: number; readonly shares: number } = { lengths: 0, shares: 24 }
export const spaceBytes = 64

/** Number of points of a unit of the phase `load`, each of which tells its largest coordinate as a float64. */
export const loadPoints = 256

/** The most levels of cuts with a job for each. */
export const mostLevels = 6
/** The least points of a task below them. */
const leastPoints = 2048
/** The most points whose coordinates memory can hold. */
const mostPoints = 2 ** 29
/** The most nodes from the root of a tree to a leaf. */
export const mostDeep: number = deepest(mostPoints)

/** Bytes of scratch of a thread that puts points in order: a stack of tasks. */
export const stackBytes: number = mostDeep * taskBytes

/** How many levels are cut with a job for each, so that threads can share what is below. */
export function cutLevels(points: number): number {
  return Math.max(0, Math.min(mostLevels, Math.floor(Math.log2(points / leastPoints))))
}

/** Bytes of the memory in which the points of a side are put in order. */
export function orderingBytes(
  points: number,
  bytes: CoordinateBytes,
): { readonly [Part in 'records' | 'tasks' | 'most']: number } {
  return {
    records: blockCount(points) * blockPoints * recordBytes(bytes),
    tasks: (2 ** (cutLevels(points) + 1) - 1) * taskBytes,
    most: Math.ceil(points / loadPoints) * 8,
  }
}
