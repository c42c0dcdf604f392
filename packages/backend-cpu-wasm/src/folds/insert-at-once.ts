/**
 * Inserts into a sorted list of numbers and their indices, a register of entries at a time and without a branch: where a
 * number belongs cannot be predicted if sources come in any order. Indices are as wide as the numbers.
 *
 * @module
 */
import type { ModuleBuilder } from '../wasm/module-builder.ts'
import { at, type Callable, laned, type Node, op } from '../wasm/nodes.ts'
import type { Vector } from '../wasm/vector.ts'

/** A whole number in every lane, as wide as the numbers are. */
export const splatIndex = (v: Vector, index: Node): Node =>
  v.bytes === 4 ? op('i32x4.splat', index) : op('i64x2.splat', op('i64.extend_i32_s', index))

/** Bytes of the numbers of such a list, and of its indices, which follow. */
export const halfBytes = (k: number, { lanes }: Vector): number => Math.ceil(k / lanes) * 16

/**
 * Adds `insert(list, term, index)`: worse entries move back by one, and the last is dropped. An entry is worse if it is
 * greater, or equal with a later index.
 */
export function defineInsertAtOnce(module: ModuleBuilder, k: number, v: Vector): Callable {
  const half = halfBytes(k, v)
  const scalar = v.bytes === 4 ? 'f32' : 'f64'
  /** The last entry of one register, then all but the last of the next. */
  const shifted = (before: Node, register: Node): Node =>
    laned(
      'i8x16.shuffle',
      Array.from({ length: 16 }, (_, n) => 16 - v.bytes + n),
      before,
      register,
    )
  return module.define('insert', { list: 'i32', term: scalar, index: 'i32' }, undefined, (f) => {
    const [list, term, index] = [0, 1, 2].map((n) => f.parameter(n)) as [Node, Node, Node]
    const value = f.let('v128', 'value', op(`${v.type}.splat`, term))
    const source = f.let('v128', 'source', splatIndex(v, index))
    const registers = Array.from({ length: half / 16 }, (_, c) => {
      const values = f.let('v128', 'values', at('v128.load', 16 * c, list))
      const indices = f.let('v128', 'indices', at('v128.load', half + 16 * c, list))
      const tie = op('v128.and', v.op('eq', values, value), op(`${v.integers}.lt_s`, source, indices))
      return { values, indices, worse: f.let('v128', 'worse', op('v128.or', v.op('gt', values, value), tie)) }
    })
    const none = f.constant('i32x4', 0)
    for (const [c, { values, indices, worse }] of registers.entries()) {
      const before = registers[c - 1] ?? { values: none, indices: none, worse: none }
      const follows = f.let('v128', 'follows', shifted(before.worse, worse))
      const next = (now: Node, earlier: Node, inserted: Node) =>
        op('v128.bitselect', op('v128.bitselect', shifted(earlier, now), inserted, follows), now, worse)
      f.emit(
        at('v128.store', 16 * c, list, next(values, before.values, value)),
        at('v128.store', half + 16 * c, list, next(indices, before.indices, source)),
      )
    }
  })
}
