/**
 * The fold of `count`: how many sources count for each target.
 *
 * @module
 */
import { element, integers, storeElements } from '../wasm/elements.ts'
import { at, get, op, set } from '../wasm/nodes.ts'
import type { Fold, FoldOf } from './fold.ts'

export const count: FoldOf = ({ v }): Fold => ({
  additive: false,
  results: [{ name: 'count', entries: 1, type: 'u32', empty: 0 }],
  stateBytes: 16,
  tileBytes: 0,
  start(f, { state, target, result, merge }) {
    f.emit(at('v128.store', 0, state, v.constant(f, 0)))
    f.if(merge, () => {
      const earlier = element(f, result('count'), target, 4)
      const wide =
        v.bytes === 4 ? at('v128.load', 0, earlier) : op('i64x2.extend_low_i32x4_s', at('v128.load64_zero', 0, earlier))
      f.emit(at('v128.store', 0, state, wide))
    })
  },
  whole(f, state, sources) {
    const all = v.bytes === 4 ? op('i32x4.splat', sources) : op('i64x2.splat', op('i64.extend_i32_u', sources))
    f.emit(at('v128.store', 0, state, op(`${v.integers}.add`, at('v128.load', 0, state), all)))
  },
  tile(f, state) {
    const total = f.local('v128', 'total')
    f.emit(set(total, at('v128.load', 0, state)))
    return {
      // A condition is -1 where it holds.
      add({ condition }) {
        f.emit(set(total, op(`${v.integers}.sub`, get(total), condition ?? v.always(f))))
      },
      end() {
        f.emit(at('v128.store', 0, state, get(total)))
      },
    }
  },
  finish(f, { state, target, remaining, result }) {
    const to = element(f, result('count'), target, 4)
    storeElements(f, v, remaining, [integers(f, v, to, at('v128.load', 0, state))])
  },
})
