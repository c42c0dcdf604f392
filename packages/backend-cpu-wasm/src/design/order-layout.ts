/**
 * The memory for putting points in order: a record of each point, which moves to its place, and a task for each part that a
 * thread cuts by itself.
 *
 * @module
 */
import { blockCount, blockPoints, deepest } from '@manybody/core/backend'
import type { CoordinateBytes } from './design.ts'

/** Bytes of a record: `x, y, z`, and then a `u32`. The `u32` is twice the number of the point, plus 1 if a coordinate is not finite. */
export const recordBytes = (bytes: CoordinateBytes): number => 4 * bytes
export const numberAt = (bytes: CoordinateBytes): number => 3 * bytes
/** Bytes of a task: `u32` the first place, the place after the last, and the node. The tasks of a level follow each other. */
export const taskBytes = 16

/** Byte offsets of the numbers of a periodic box: its lengths and their inverses, 0 along an axis that does not repeat. Loads of two numbers may begin at the last of either. */
export const spaceNumbers: { readonly lengths: number; readonly shares: number } = { lengths: 0, shares: 24 }
export const spaceBytes = 64

/** Number of points in a unit of the phase `load`. A unit reports its largest coordinate as a float64. */
export const loadPoints = 256

/** The most levels of cuts with a job for each. */
export const mostLevels = 6
/** The least points of a task below these levels. */
const leastPoints = 2048
/** Memory can hold the coordinates of at most this many points. */
const mostPoints = 2 ** 29
/** The most nodes from the root of a tree to a leaf. */
export const mostDeep: number = deepest(mostPoints)

/** Bytes of scratch of a thread that puts points in order: a stack of tasks. */
export const stackBytes: number = mostDeep * taskBytes

/** Number of levels that are cut with a job for each, so that threads can share the cuts below. */
export function cutLevels(points: number): number {
  return Math.max(0, Math.min(mostLevels, Math.floor(Math.log2(points / leastPoints))))
}

/** Bytes for putting the points of a side in order. */
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
