/**
 * The fold of `count`: how many sources count for each target.
 *
 * @module
 */
import { element, integers, storeElements } from '../wasm/elements.ts'
import { at, get, op, set } from '../wasm/nodes.ts'
import type { Fold, FoldOf } from './fold.ts'

export const count: FoldOf = ({ vector }): Fold => ({
  additive: false,
  results: [{ name: 'count', entries: 1, type: 'u32', empty: 0 }],
  stateBytes: 16,
  tileBytes: 0,
  start(code, { state, target, result, merge }) {
    code.emit(at('v128.store', 0, state, vector.constant(code, 0)))
    code.if(merge, () => {
      const earlier = element(code, result('count'), target, 4)
      const wide =
        vector.bytes === 4
          ? at('v128.load', 0, earlier)
          : op('i64x2.extend_low_i32x4_s', at('v128.load64_zero', 0, earlier))
      code.emit(at('v128.store', 0, state, wide))
    })
  },
  whole(code, state, sources) {
    const all = vector.bytes === 4 ? op('i32x4.splat', sources) : op('i64x2.splat', op('i64.extend_i32_u', sources))
    code.emit(at('v128.store', 0, state, op(`${vector.integers}.add`, at('v128.load', 0, state), all)))
  },
  tile(code, state) {
    const total = code.local('v128', 'total')
    code.emit(set(total, at('v128.load', 0, state)))
    return {
      // A condition is -1 where it holds.
      add({ condition }) {
        code.emit(set(total, op(`${vector.integers}.sub`, get(total), condition ?? vector.always(code))))
      },
      end() {
        code.emit(at('v128.store', 0, state, get(total)))
      },
    }
  },
  finish(code, { state, target, remaining, result }) {
    const to = element(code, result('count'), target, 4)
    storeElements(code, vector, remaining, [integers(code, vector, to, at('v128.load', 0, state))])
  },
})
