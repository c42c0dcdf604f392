/**
 * Loads and stores for loops that visit each element once, one register of elements at a time. Elements may have any stride,
 * and the last register of an array may be incomplete.
 *
 * Loads may read past the end of an array, because allocations leave room there. Stores never write past it.
 *
 * @module
 */

import { value, write } from '../language/kernel.ts'
import type { FunctionBuilder } from './function-builder.ts'
import { at, i32, laneAt, type Node, plus } from './nodes.ts'
import type { Vector } from './vector.ts'

/** Numbers in memory, one for each element, `stride` numbers apart. */
export interface Strided {
  /** Address of the number of the first lane. */
  readonly address: Node
  readonly stride: number
  /** Bytes to add to the address. */
  readonly offset: number
}

/** Loads one register of numbers. */
export const loadElements = (code: FunctionBuilder, vector: Vector, { address, stride, offset }: Strided): Node =>
  stride === 1
    ? at('v128.load', offset, address)
    : value(code)`
      lanes real = ${vector.type}
      real[n of 0..${vector.lanes}: ${address} + (${offset} + n * ${stride * vector.bytes})]`

/**
 * Loads numbers of other elements. A register has their indices. Indices are clamped, because the last register of an array may
 * have lanes without an element.
 */
export const gatherElements = (
  code: FunctionBuilder,
  vector: Vector,
  { address, stride, offset }: Strided,
  index: Node,
  count: number,
): Node => value(code)`
  lanes real = ${vector.type}
  let index = pmax(pmin(${index} as real, ${Math.max(0, count - 1)}), 0)
  unroll n of 0..${vector.lanes} {
    const number = lane(index, n)
    const whole = ${vector.bytes === 4} ? i32.trunc_sat_f32_s(number) : i32.trunc_sat_f64_s(number)
    let from[n] = ${address} + whole * ${stride * vector.bytes}
  }
  real[n of 0..${vector.lanes}: from[n] + ${offset}]`

/** One register of results; `lane` writes one lane to its place. */
export interface Store {
  readonly lane: (lane: number) => Node
}

/** Stores numbers with a stride. */
export function strided(code: FunctionBuilder, vector: Vector, to: Strided, value: Node): Store {
  const register = code.let('v128', 'out', value)
  return {
    lane: (lane) => vector.storeLane(lane, to.offset + lane * to.stride * vector.bytes, to.address, register),
  }
}

/** Stores consecutive 32-bit integers from lanes of the vector's width. */
export function integers(code: FunctionBuilder, vector: Vector, address: Node, value: Node): Store {
  const register = code.let('v128', 'out', value)
  const perLane = vector.bytes / 4
  return { lane: (lane) => laneAt('v128.store32_lane', lane * 4, lane * perLane, address, register) }
}

/** Loads consecutive 32-bit integers into lanes of the vector's width. */
export const loadIntegers =
  ({ bytes }: Vector) =>
  (code: FunctionBuilder, address: Node): Node =>
    value(code)`
    const at = ${address}
    ${bytes === 4} ? v128[at] : i64x2.extend_low_i32x4_s(v128.load64_zero[at])`

/** Stores the lanes of elements that exist: all, or the first `remaining`. */
export function storeElements(code: FunctionBuilder, vector: Vector, remaining: Node, stores: readonly Store[]): void {
  const store = (_: FunctionBuilder, n: number, lane: number) => stores[n]?.lane(lane)
  write(code)`
    const count = ${vector.lanes}
    let remaining = ${remaining}
    if i32.ge_s(remaining, count) {
      unroll n of 0..${stores.length} { unroll lane of 0..count { ${store}(n, lane) } }
    } else {
      unroll lane of 0..count - 1 {
        if i32.gt_s(remaining, lane) { unroll n of 0..${stores.length} { ${store}(n, lane) } }
      }
    }`
}

/** `base + index * bytes`, as a variable. */
export const element = (code: FunctionBuilder, base: Node, index: Node, bytes: number): Node => value(code)`
  let at = ${base} + ${index} * ${bytes}
  at`

/** Copies a row of numbers between addresses that are computed already. V8 would call a function for `memory.copy`. */
export function copyBytes(code: FunctionBuilder, to: Node, from: Node, bytes: number): void {
  const [type, step] = bytes % 16 === 0 ? (['v128', 16] as const) : (['i32', 4] as const)
  code.for('byte', i32(0), i32(bytes), step, (byte) =>
    code.emit(at(`${type}.store`, 0, plus(to, byte), at(`${type}.load`, 0, plus(from, byte)))),
  )
}
