/**
 * Loads and stores for loops that visit each element once, one register of elements at a time. Elements may have any stride,
 * and the last register of an array may be incomplete.
 *
 * Loads may read past the end of an array, because allocations leave room there. Stores never write past it.
 *
 * @module
 */

import type { FunctionBuilder } from './function-builder.ts'
import { at, i32, laned, type Node, op, plus } from './nodes.ts'
import type { Vector } from './vector.ts'

/** Free bytes after every array, for the last register that is loaded from it. */
export const slack = 128

/** Numbers in memory, one for each element, `stride` numbers apart. */
export interface Strided {
  /** Address of the number of the first lane. */
  readonly address: Node
  readonly stride: number
  /** Bytes to add to the address. */
  readonly offset: number
}

/** Loads one register of numbers. */
export function loadElements(f: FunctionBuilder, v: Vector, { address, stride, offset }: Strided): Node {
  if (stride === 1) return at('v128.load', offset, address)
  let register = f.constant('i32x4', 0)
  for (let lane = 0; lane < v.lanes; lane++)
    register = v.loadLane(lane, offset + lane * stride * v.bytes, address, register)
  return register
}

/**
 * Loads numbers of other elements, whose indices are the numbers of a register. Indices are clamped, because the last register
 * of an array may have lanes without an element.
 */
export function gatherElements(
  f: FunctionBuilder,
  v: Vector,
  { address, stride, offset }: Strided,
  index: Node,
  count: number,
): Node {
  const last = v.op('pmin', index, v.constant(f, Math.max(0, count - 1)))
  const within = f.let('v128', 'index', v.op('pmax', last, v.constant(f, 0)))
  const whole = v.bytes === 4 ? 'i32.trunc_sat_f32_s' : 'i32.trunc_sat_f64_s'
  let register = f.constant('i32x4', 0)
  for (let lane = 0; lane < v.lanes; lane++) {
    const n = op(whole, laned(`${v.type}.extract_lane`, [lane], within))
    const from = f.let('i32', 'from', plus(address, op('i32.mul', n, i32(stride * v.bytes))))
    register = v.loadLane(lane, offset, from, register)
  }
  return register
}

/** One register of results; `lane` writes one lane to its place. */
export interface Store {
  readonly lane: (lane: number) => Node
}

/** Stores numbers with a stride. */
export function strided(f: FunctionBuilder, v: Vector, to: Strided, value: Node): Store {
  const register = f.let('v128', 'out', value)
  return {
    lane: (lane) => v.storeLane(lane, to.offset + lane * to.stride * v.bytes, to.address, register),
  }
}

/** Stores consecutive 32-bit integers, from lanes as wide as the numbers of `v`. */
export function integers(f: FunctionBuilder, v: Vector, address: Node, value: Node): Store {
  const register = f.let('v128', 'out', value)
  const perLane = v.bytes / 4
  return {
    lane: (lane) => ({
      kind: 'op',
      op: 'v128.store32_lane',
      args: [address, register],
      offset: lane * 4,
      lanes: [lane * perLane],
    }),
  }
}

/** Writes the lanes whose elements exist: all, or the first `remaining`. */
export function storeElements(f: FunctionBuilder, v: Vector, remaining: Node, stores: readonly Store[]): void {
  const left = f.let('i32', 'remaining', remaining)
  f.if(
    op('i32.ge_s', left, i32(v.lanes)),
    () => {
      for (const store of stores) for (let lane = 0; lane < v.lanes; lane++) f.emit(store.lane(lane))
    },
    () => {
      for (let lane = 0; lane < v.lanes - 1; lane++)
        f.if(op('i32.gt_s', left, i32(lane)), () => f.emit(...stores.map((store) => store.lane(lane))))
    },
  )
}

/** `base + index * bytes`, as a variable. */
export function element(f: FunctionBuilder, base: Node, index: Node, bytes: number): Node {
  return f.let('i32', 'at', plus(base, op('i32.mul', index, i32(bytes))))
}
