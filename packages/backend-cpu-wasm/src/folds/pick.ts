/**
 * The fold of reductions that pick a source, such as `argmin`: the least or greatest term of each target, and the first
 * source that has it.
 *
 * @module
 */
import { element, integers, loadElements, storeElements, strided } from '../wasm/elements.ts'
import { at, get, type Node, op, set } from '../wasm/nodes.ts'
import type { Fold, FoldOf, SourceOrder } from './fold.ts'
import { splatIndex } from './insert-at-once.ts'

export const pick =
  (picks: 'least' | 'greatest', order: SourceOrder): FoldOf =>
  ({ v }): Fold => {
    const nothing = picks === 'least' ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY
    const better = (a: Node, b: Node) => v.op(picks === 'least' ? 'lt' : 'gt', a, b)
    return {
      additive: false,
      results: [
        { name: 'value', entries: 1, type: 'number', empty: nothing },
        { name: 'index', entries: 1, type: 'i32', empty: -1 },
      ],
      stateBytes: 32,
      tileBytes: 0,
      start(f, { state, target, result, merge }) {
        const address = element(f, result('value'), target, v.bytes)
        f.emit(at('v128.store', 0, state, v.constant(f, nothing)))
        f.emit(at('v128.store', 16, state, v.always(f)))
        f.if(merge, () => {
          f.emit(at('v128.store', 0, state, loadElements(f, v, { address, stride: 1, offset: 0 })))
          const at32 = element(f, result('index'), target, 4)
          const narrow =
            v.bytes === 4 ? at('v128.load', 0, at32) : op('i64x2.extend_low_i32x4_s', at('v128.load64_zero', 0, at32))
          f.emit(at('v128.store', 16, state, narrow))
        })
      },
      tile(f, state) {
        const best = f.local('v128', 'best')
        const where = f.local('v128', 'where')
        f.emit(set(best, at('v128.load', 0, state)))
        f.emit(set(where, at('v128.load', 16, state)))
        return {
          add({ terms: [term], condition, index }) {
            if (term === undefined) return
            const value = f.let('v128', 'term', term)
            const source = order === 'any' ? f.let('v128', 'source', splatIndex(v, index)) : undefined
            const first = source && op(`${v.integers}.lt_s`, source, get(where))
            const alike = first && op('v128.and', v.op('eq', value, get(best)), first)
            const less = better(value, get(best))
            const ahead = alike ? op('v128.or', less, alike) : less
            const counts = f.let('v128', 'counts', condition ? op('v128.and', ahead, condition) : ahead)
            f.emit(set(best, op('v128.bitselect', value, get(best), counts)))
            f.emit(set(where, op('v128.bitselect', source ?? splatIndex(v, index), get(where), counts)))
          },
          end() {
            f.emit(at('v128.store', 0, state, get(best)))
            f.emit(at('v128.store', 16, state, get(where)))
          },
        }
      },
      finish(f, { state, target, remaining, result }) {
        const values = { address: element(f, result('value'), target, v.bytes), stride: 1, offset: 0 }
        storeElements(f, v, remaining, [
          strided(f, v, values, at('v128.load', 0, state)),
          integers(f, v, element(f, result('index'), target, 4), at('v128.load', 16, state)),
        ])
      },
    }
  }
