/**
 * The memory in which points are put in order: a record of each point, which moves to its place, and a task for each part of
 * them that a thread cuts by itself.
 *
 * @module
 */
import { blockCount, blockPoints } from '@manybody/core/backend'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, type Node } from '../wasm/nodes.ts'

/** Bytes of a record: `f64 x, y, z`, then `u32` the number of the point, and `u32` whether a coordinate is not finite. */
export const recordBytes = 32
export const numberAt = 24
export const lostAt = 28
/** The parts of a record that hold coordinates, as registers of two. */
export const partsOf = (dimension: number): readonly number[] => (dimension === 3 ? [0, 16] : [0])

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
export function orderingBytes(points: number): { readonly [Part in 'records' | 'tasks' | 'most']: number } {
  return {
    records: blockCount(points) * blockPoints * recordBytes,
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
export function swapRecords(code: FunctionBuilder, a: Node, b: Node): void {
  const halves = [0, 16].map((offset) => ({
    offset,
    a: code.let('v128', 'a', at('v128.load', offset, a)),
    b: code.let('v128', 'b', at('v128.load', offset, b)),
  }))
  for (const half of halves)
    code.emit(at('v128.store', half.offset, a, half.b), at('v128.store', half.offset, b, half.a))
}
