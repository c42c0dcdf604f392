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

export const logsumexp: FoldOf = ({ module, vector, tile }): Fold => {
  const sums = Array.from({ length: vector.halves }, (_, half) => 16 + half * 16)
  const nothing = (code: FunctionBuilder) => vector.constant(code, Number.NEGATIVE_INFINITY)
  const exp = (code: FunctionBuilder, x: Node) => mathCall(module, code, vector, 'exp', [x])
  return {
    additive: false,
    results: [{ name: 'value', entries: 1, type: 'number', empty: Number.NEGATIVE_INFINITY }],
    stateBytes: 16 + sums.length * 16,
    tileBytes: tile * 16,
    start(code, { state, target, result, merge }) {
      code.emit(at('v128.store', 0, state, nothing(code)))
      for (const offset of sums) code.emit(at('v128.store', offset, state, code.constant('f64x2', 0)))
      code.if(merge, () => {
        const address = element(code, result('value'), target, vector.bytes)
        const earlier = code.let('v128', 'earlier', loadElements(code, vector, { address, stride: 1, offset: 0 }))
        code.emit(at('v128.store', 0, state, earlier))
        const one = op('v128.and', vector.op('gt', earlier, nothing(code)), vector.constant(code, 1))
        for (const [half, part] of vector.widened(code, one).entries())
          code.emit(at('v128.store', sums[half] ?? 0, state, part))
      })
    },
    tile(code, state, scratch) {
      const largest = code.local('v128', 'largest')
      const kept = code.local('i32', 'kept')
      code.emit(set(largest, at('v128.load', 0, state)), set(kept, scratch))
      return {
        add({ terms: [term], condition }) {
          if (term === undefined) return
          const counted = condition ? op('v128.bitselect', term, nothing(code), condition) : term
          const value = code.let('v128', 'term', counted)
          code.emit(set(largest, vector.op('pmax', get(largest), value)))
          code.emit(at('v128.store', 0, get(kept), value), set(kept, plus(get(kept), 16)))
        },
        end() {
          const before = code.let('v128', 'before', at('v128.load', 0, state))
          const empty = vector.op('eq', get(largest), nothing(code))
          // If no term has counted, the origin is 0, because -infinity minus -infinity would be NaN.
          const origin = code.let('v128', 'origin', op('v128.andnot', get(largest), empty))
          const total = code.local('v128', 'total')
          code.emit(set(total, vector.constant(code, 0)))
          code.for('at', scratch, get(kept), 16, (address) => {
            const value = exp(code, vector.op('sub', at('v128.load', 0, address), origin))
            code.emit(set(total, vector.op('add', get(total), value)))
          })
          const shrink = vector.widened(code, exp(code, vector.op('sub', before, origin)))
          for (const [half, part] of vector.widened(code, get(total)).entries()) {
            const offset = sums[half] ?? 0
            const earlier = op('f64x2.mul', at('v128.load', offset, state), shrink[half] ?? part)
            code.emit(at('v128.store', offset, state, op('f64x2.add', earlier, part)))
          }
          code.emit(at('v128.store', 0, state, get(largest)))
        },
      }
    },
    finish(code, { state, target, remaining, result }) {
      const total = vector.narrowed(sums.map((offset) => at('v128.load', offset, state)))
      const value = vector.op('add', at('v128.load', 0, state), mathCall(module, code, vector, 'log', [total]))
      const to = { address: element(code, result('value'), target, vector.bytes), stride: 1, offset: 0 }
      storeElements(code, vector, remaining, [strided(code, vector, to, value)])
    },
  }
}
