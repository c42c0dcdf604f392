/**
 * The memory in which points are put in order: a record of each point, which moves to its place, and a task for each part of
 * them that a thread cuts by itself.
 *
 * @module
 */
import { blockCount, blockPoints } from '@manybody/core/backend'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, laneAt, type Node, op } from '../wasm/nodes.ts'

/**
 * Bytes of a coordinate in a record. A record has `x, y, z`, and then `u32` twice the number of the point, and 1 more if a
 * coordinate is not finite.
 */
export type CoordinateBytes = 4 | 8
export const recordBytes = (bytes: CoordinateBytes): number => 4 * bytes
export const numberAt = (bytes: CoordinateBytes): number => 3 * bytes
/** The first axes of the parts of a record, each of which fills a register of two float64. */
export const partsOf = (dimension: number): readonly number[] => (dimension === 3 ? [0, 2] : [0])

/** Loads a coordinate, whose axis the address includes. */
export const loadCoordinate = (bytes: CoordinateBytes, address: Node): Node =>
  bytes === 8 ? at('f64.load', 0, address) : op('f64.promote_f32', at('f32.load', 0, address))

/** Loads a part. The last axis of three has none beside it. */
export const loadPart = (bytes: CoordinateBytes, axis: number, record: Node): Node =>
  bytes === 8
    ? at('v128.load', 8 * axis, record)
    : op('f64x2.promote_low_f32x4', at('v128.load64_zero', 4 * axis, record))

/** Stores a part. The number follows the last one, and so is stored after it. */
export const storePart = (bytes: CoordinateBytes, axis: number, record: Node, part: Node): Node =>
  bytes === 8
    ? at('v128.store', 8 * axis, record, part)
    : laneAt('v128.store64_lane', 4 * axis, 0, record, op('f32x4.demote_f64x2_zero', part))

/** Bytes of a task: `u32` the first place, the place after the last, and the node. The tasks of a level follow each other. */
export const taskBytes = 16

/** Byte offsets of the numbers of a periodic box: its lengths and their inverses. Two may be read from the last of either. */
export const spaceNumbers: { readonly lengths: number; readonly shares: number } = { lengths: 0, shares: 24 }
export const spaceBytes = 64

/** Number of points of a unit of the phase `load`, each of which tells its largest coordinate as a float64. */
export const loadPoints = 256

/** The most levels of cuts with a job for each, and the least points of a task below them. */
const [mostLevels, leastPoints] = [6, 2048]

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

/** `while (condition) body`; the condition is computed in two places. */
export function whileIn(code: FunctionBuilder, condition: () => Node, body: () => void): void {
  code.if(condition(), () =>
    code.repeat(() => {
      body()
      return condition()
    }),
  )
}

/** Swaps two records. */
export function swapRecords(code: FunctionBuilder, bytes: CoordinateBytes, a: Node, b: Node): void {
  const halves = [0, 16].slice(0, bytes / 4).map((offset) => ({
    offset,
    a: code.let('v128', 'a', at('v128.load', offset, a)),
    b: code.let('v128', 'b', at('v128.load', offset, b)),
  }))
  for (const half of halves)
    code.emit(at('v128.store', half.offset, a, half.b), at('v128.store', half.offset, b, half.a))
}
