/**
 * The fold of `log sum_j exp(term_j)`. Exponentials are relative to the largest term so far, so that none overflows.
 *
 * A tile first stores its terms and finds their maximum, then adds up `exp(term - maximum)`, which takes one exponential per
 * pair. The state is the maximum, and the sum relative to it in float64.
 *
 * @module
 */

import { mathCall } from '../expressions/functions.ts'
import { element, loadElements, storeElements, strided } from '../wasm/elements.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, get, type Node, op, plus, set } from '../wasm/nodes.ts'
import type { Fold, FoldOf } from './fold.ts'

export const logsumexp: FoldOf = ({ module, v, tile }): Fold => {
  const sums = Array.from({ length: v.halves }, (_, half) => 16 + half * 16)
  const nothing = (f: FunctionBuilder) => v.constant(f, Number.NEGATIVE_INFINITY)
  const exp = (f: FunctionBuilder, x: Node) => mathCall(module, f, v, 'exp', [x])
  return {
    additive: false,
    results: [{ name: 'value', entries: 1, type: 'number', empty: Number.NEGATIVE_INFINITY }],
    stateBytes: 16 + sums.length * 16,
    tileBytes: tile * 16,
    start(f, { state, target, result, merge }) {
      f.emit(at('v128.store', 0, state, nothing(f)))
      for (const offset of sums) f.emit(at('v128.store', offset, state, f.constant('f64x2', 0)))
      f.if(merge, () => {
        const address = element(f, result('value'), target, v.bytes)
        const earlier = f.let('v128', 'earlier', loadElements(f, v, { address, stride: 1, offset: 0 }))
        f.emit(at('v128.store', 0, state, earlier))
        const one = op('v128.and', v.op('gt', earlier, nothing(f)), v.constant(f, 1))
        for (const [half, part] of v.widened(f, one).entries()) f.emit(at('v128.store', sums[half] ?? 0, state, part))
      })
    },
    tile(f, state, scratch) {
      const largest = f.local('v128', 'largest')
      const kept = f.local('i32', 'kept')
      f.emit(set(largest, at('v128.load', 0, state)), set(kept, scratch))
      return {
        add({ terms: [term], condition }) {
          if (term === undefined) return
          const counted = condition ? op('v128.bitselect', term, nothing(f), condition) : term
          const value = f.let('v128', 'term', counted)
          f.emit(set(largest, v.op('pmax', get(largest), value)))
          f.emit(at('v128.store', 0, get(kept), value), set(kept, plus(get(kept), 16)))
        },
        end() {
          const before = f.let('v128', 'before', at('v128.load', 0, state))
          const empty = v.op('eq', get(largest), nothing(f))
          // If no term has counted, the origin is 0, because -infinity minus -infinity would be NaN.
          const origin = f.let('v128', 'origin', op('v128.andnot', get(largest), empty))
          const total = f.local('v128', 'total')
          f.emit(set(total, v.constant(f, 0)))
          f.for('at', scratch, get(kept), 16, (address) => {
            const value = exp(f, v.op('sub', at('v128.load', 0, address), origin))
            f.emit(set(total, v.op('add', get(total), value)))
          })
          const shrink = v.widened(f, exp(f, v.op('sub', before, origin)))
          for (const [half, part] of v.widened(f, get(total)).entries()) {
            const offset = sums[half] ?? 0
            const earlier = op('f64x2.mul', at('v128.load', offset, state), shrink[half] ?? part)
            f.emit(at('v128.store', offset, state, op('f64x2.add', earlier, part)))
          }
          f.emit(at('v128.store', 0, state, get(largest)))
        },
      }
    },
    finish(f, { state, target, remaining, result }) {
      const total = v.narrowed(sums.map((offset) => at('v128.load', offset, state)))
      const value = v.op('add', at('v128.load', 0, state), mathCall(module, f, v, 'log', [total]))
      const to = { address: element(f, result('value'), target, v.bytes), stride: 1, offset: 0 }
      storeElements(f, v, remaining, [strided(f, v, to, value)])
    },
  }
}
