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
export const splatIndex = (vector: Vector, index: Node): Node =>
  vector.bytes === 4 ? op('i32x4.splat', index) : op('i64x2.splat', op('i64.extend_i32_s', index))

/** Bytes of the numbers of such a list, and of its indices, which follow. */
export const halfBytes = (k: number, { lanes }: Vector): number => Math.ceil(k / lanes) * 16

/**
 * Adds `insert(list, term, index)`: worse entries move back by one, and the last is dropped. An entry is worse if it is
 * greater, or equal with a later index.
 */
export function defineInsertAtOnce(module: ModuleBuilder, k: number, vector: Vector): Callable {
  const half = halfBytes(k, vector)
  const scalar = vector.bytes === 4 ? 'f32' : 'f64'
  /** The last entry of one register, then all but the last of the next. */
  const shifted = (before: Node, register: Node): Node =>
    laned(
      'i8x16.shuffle',
      Array.from({ length: 16 }, (_, n) => 16 - vector.bytes + n),
      before,
      register,
    )
  return module.define('insert', { list: 'i32', term: scalar, index: 'i32' }, undefined, (code, values) => {
    const { list, term, index } = values
    const value = code.let('v128', 'value', op(`${vector.type}.splat`, term))
    const source = code.let('v128', 'source', splatIndex(vector, index))
    const registers = Array.from({ length: half / 16 }, (_, c) => {
      const values = code.let('v128', 'values', at('v128.load', 16 * c, list))
      const indices = code.let('v128', 'indices', at('v128.load', half + 16 * c, list))
      const tie = op('v128.and', vector.op('eq', values, value), op(`${vector.integers}.lt_s`, source, indices))
      return { values, indices, worse: code.let('v128', 'worse', op('v128.or', vector.op('gt', values, value), tie)) }
    })
    const none = code.constant('i32x4', 0)
    for (const [c, { values, indices, worse }] of registers.entries()) {
      const before = registers[c - 1] ?? { values: none, indices: none, worse: none }
      const follows = code.let('v128', 'follows', shifted(before.worse, worse))
      const next = (now: Node, earlier: Node, inserted: Node) =>
        op('v128.bitselect', op('v128.bitselect', shifted(earlier, now), inserted, follows), now, worse)
      code.emit(
        at('v128.store', 16 * c, list, next(values, before.values, value)),
        at('v128.store', half + 16 * c, list, next(indices, before.indices, source)),
      )
    }
  })
}
