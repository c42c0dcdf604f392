/**
 * Code that reads, writes and swaps the records of points while these are put in order (`order-layout.ts`).
 *
 * @module
 */
import type { CoordinateBytes } from '../../design/design.ts'
import { write } from '../language/kernel.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, laneAt, type Node, op } from '../wasm/nodes.ts'

/** The first axis of each part of a record. A part fills a register of two float64. On a line, the second one is 0. */
export const partsOf = (dimension: number): readonly number[] => (dimension === 3 ? [0, 2] : [0])

/** The type of a coordinate. */
export const coordinateType = (bytes: CoordinateBytes): 'f32' | 'f64' => (bytes === 8 ? 'f64' : 'f32')

/** Loads a part. The last of three axes is alone in its part. */
export const loadPart = (bytes: CoordinateBytes, axis: number, record: Node): Node =>
  bytes === 8
    ? at('v128.load', 8 * axis, record)
    : op('f64x2.promote_low_f32x4', at('v128.load64_zero', 4 * axis, record))

/** Stores a part. The number follows the last coordinate, so store it afterwards. */
export const storePart = (bytes: CoordinateBytes, axis: number, record: Node, part: Node): Node =>
  bytes === 8
    ? at('v128.store', 8 * axis, record, part)
    : laneAt('v128.store64_lane', 4 * axis, 0, record, op('f32x4.demote_f64x2_zero', part))

/** Writes code that swaps two records. */
export function swapRecords(bytes: CoordinateBytes): (code: FunctionBuilder, first: Node, second: Node) => void {
  return (code, first, second) => write(code)`
    const parts = ${bytes / 4}
    unroll n of 0..parts {
      let a[n] = v128[${first} + 16 * n]
      let b[n] = v128[${second} + 16 * n]
    }
    unroll n of 0..parts {
      v128[${first} + 16 * n] = b[n]
      v128[${second} + 16 * n] = a[n]
    }`
}
