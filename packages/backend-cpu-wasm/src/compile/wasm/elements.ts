/**
 * Loads and stores for loops that visit each element once, one register of elements at a time. Elements may have any stride,
 * and the last register of an array may be incomplete.
 *
 * Loads may read past the end of an array, because allocations leave room there. Stores never write past it.
 *
 * @module
 */

import type { FunctionBuilder } from './function-builder.ts'
import { at, i32, laneAt, laned, type Node, op, plus, times } from './nodes.ts'
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
export function loadElements(code: FunctionBuilder, vector: Vector, { address, stride, offset }: Strided): Node {
  if (stride === 1) return at('v128.load', offset, address)
  let register = code.constant('i32x4', 0)
  for (let lane = 0; lane < vector.lanes; lane++)
    register = vector.loadLane(lane, offset + lane * stride * vector.bytes, address, register)
  return register
}

/**
 * Loads numbers of other elements. A register has their indices. Indices are clamped, because the last register of an array may
 * have lanes without an element.
 */
export function gatherElements(
  code: FunctionBuilder,
  vector: Vector,
  { address, stride, offset }: Strided,
  index: Node,
  count: number,
): Node {
  const last = vector.op('pmin', index, vector.constant(code, Math.max(0, count - 1)))
  const within = code.let('v128', 'index', vector.op('pmax', last, vector.constant(code, 0)))
  const whole = vector.bytes === 4 ? 'i32.trunc_sat_f32_s' : 'i32.trunc_sat_f64_s'
  let register = code.constant('i32x4', 0)
  for (let lane = 0; lane < vector.lanes; lane++) {
    const n = op(whole, laned(`${vector.type}.extract_lane`, [lane], within))
    const from = code.let('i32', 'from', plus(address, times(n, stride * vector.bytes)))
    register = vector.loadLane(lane, offset, from, register)
  }
  return register
}

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
  return {
    lane: (lane) => laneAt('v128.store32_lane', lane * 4, lane * perLane, address, register),
  }
}

/** Stores the lanes of elements that exist: all, or the first `remaining`. */
export function storeElements(code: FunctionBuilder, vector: Vector, remaining: Node, stores: readonly Store[]): void {
  const left = code.let('i32', 'remaining', remaining)
  code.if(
    op('i32.ge_s', left, i32(vector.lanes)),
    () => {
      for (const store of stores) for (let lane = 0; lane < vector.lanes; lane++) code.emit(store.lane(lane))
    },
    () => {
      for (let lane = 0; lane < vector.lanes - 1; lane++)
        code.if(op('i32.gt_s', left, i32(lane)), () => code.emit(...stores.map((store) => store.lane(lane))))
    },
  )
}

/** `base + index * bytes`, as a variable. */
export function element(code: FunctionBuilder, base: Node, index: Node, bytes: number): Node {
  return code.let('i32', 'at', plus(base, times(index, bytes)))
}

/** Copies a row of numbers between addresses that are computed already. V8 would call a function for `memory.copy`. */
export function copyBytes(code: FunctionBuilder, to: Node, from: Node, bytes: number): void {
  const [type, step] = bytes % 16 === 0 ? (['v128', 16] as const) : (['i32', 4] as const)
  code.for('byte', i32(0), i32(bytes), step, (byte) =>
    code.emit(at(`${type}.store`, 0, plus(to, byte), at(`${type}.load`, 0, plus(from, byte)))),
  )
}
