/**
 * The fold of reductions that pick a source, such as `argmin`: the least or greatest term of each target, and the first
 * source that has it.
 *
 * @module
 */
import { element, integers, loadElements, storeElements, strided } from '../wasm/elements.ts'
import { at, get, type Node, op, set } from '../wasm/nodes.ts'
import { type Fold, type FoldOf, greatest, type SourceOrder } from './fold.ts'

export const pick =
  (picks: 'least' | 'greatest', order: SourceOrder): FoldOf =>
  ({ vector }): Fold => {
    const nothing = picks === 'least' ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY
    const better = (a: Node, b: Node) => vector.op(picks === 'least' ? 'lt' : 'gt', a, b)
    return {
      additive: false,
      results: [
        { name: 'value', entries: 1, type: 'number', empty: nothing },
        { name: 'index', entries: 1, type: 'i32', empty: -1 },
      ],
      stateBytes: 32,
      tileBytes: 0,
      start(code, { state, target, result, merge }) {
        const address = element(code, result('value'), target, vector.bytes)
        code.emit(at('v128.store', 0, state, vector.constant(code, nothing)))
        code.emit(at('v128.store', 16, state, vector.always(code)))
        code.if(merge, () => {
          code.emit(at('v128.store', 0, state, loadElements(code, vector, { address, stride: 1, offset: 0 })))
          const at32 = element(code, result('index'), target, 4)
          const narrow =
            vector.bytes === 4
              ? at('v128.load', 0, at32)
              : op('i64x2.extend_low_i32x4_s', at('v128.load64_zero', 0, at32))
          code.emit(at('v128.store', 16, state, narrow))
        })
      },
      lastIndex: (code, state) =>
        greatest(
          code,
          Array.from({ length: vector.lanes }, (_, lane) => at('i32.load', 16 + lane * vector.bytes, state)),
        ),
      tile(code, state) {
        const best = code.local('v128', 'best')
        const where = code.local('v128', 'where')
        code.emit(set(best, at('v128.load', 0, state)))
        code.emit(set(where, at('v128.load', 16, state)))
        return {
          add({ terms: [term], condition, index }) {
            if (term === undefined) return
            const value = code.let('v128', 'term', term)
            const source = order === 'any' ? code.let('v128', 'source', vector.splatIndex(index)) : undefined
            const first = source && op(`${vector.integers}.lt_s`, source, get(where))
            const alike = first && op('v128.and', vector.op('eq', value, get(best)), first)
            const less = better(value, get(best))
            const ahead = alike ? op('v128.or', less, alike) : less
            const counts = code.let('v128', 'counts', condition ? op('v128.and', ahead, condition) : ahead)
            code.emit(set(best, op('v128.bitselect', value, get(best), counts)))
            code.emit(set(where, op('v128.bitselect', source ?? vector.splatIndex(index), get(where), counts)))
          },
          end() {
            code.emit(at('v128.store', 0, state, get(best)))
            code.emit(at('v128.store', 16, state, get(where)))
          },
        }
      },
      finish(code, { state, target, remaining, result }) {
        const values = { address: element(code, result('value'), target, vector.bytes), stride: 1, offset: 0 }
        storeElements(code, vector, remaining, [
          strided(code, vector, values, at('v128.load', 0, state)),
          integers(code, vector, element(code, result('index'), target, 4), at('v128.load', 16, state)),
        ])
      },
    }
  }
