/**
 * The fold of `log sum_j exp(term_j)`. Exponentials are relative to the largest term so far, so that none overflows.
 *
 * A tile first stores its terms and finds their maximum, then adds up `exp(term - maximum)`, which takes one exponential per
 * pair. The state is the maximum, and the sum relative to it in float64.
 *
 * @module
 */

import { mathCall } from '../expressions/functions.ts'
import { value, write } from '../language/kernel.ts'
import { element, storeElements, strided } from '../wasm/elements.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, type Node } from '../wasm/nodes.ts'
import { type Fold, type FoldOf, termOr } from './fold.ts'

export const logsumexp: FoldOf = ({ module, vector, tile }): Fold => {
  const sums = Array.from({ length: vector.halves }, (_, half) => 16 + half * 16)
  const widened = (code: FunctionBuilder, x: Node) => vector.widened(code, x)
  const exp = (code: FunctionBuilder, x: Node) => mathCall(module, code, vector, 'exp', [x])
  return {
    additive: false,
    results: [{ name: 'value', entries: 1, type: 'number', empty: Number.NEGATIVE_INFINITY }],
    stateBytes: 16 + sums.length * 16,
    tileBytes: tile * 16,
    start: (code, { state, target, result, merge }) => write(code)`
      lanes real = ${vector.type}
      const sums = ${sums}
      real[${state}] = -infinity
      unroll at of sums { f64x2[${state} + at] = 0 }
      if ${merge} {
        let earlier = real[${result('value')} + ${target} * ${vector.bytes}]
        real[${state}] = earlier
        const parts = ${widened}((earlier > -infinity) & real(1))
        unroll half of 0..${vector.halves} { v128[${state} + sums[half]] = parts[half] as v128 }
      }`,
    tile(code, state, scratch) {
      const largest = value(code)`
        var largest = v128[${state}]
        largest`
      const kept = value(code)`
        var kept = ${scratch}
        kept`
      return {
        add(pair) {
          const term = termOr(code, vector, Number.NEGATIVE_INFINITY, pair)
          if (term === undefined) return
          write(code)`
            lanes real = ${vector.type}
            let term: real = ${term}
            ${largest} = pmax(${largest} as real, term)
            v128[${kept}] = term
            ${kept} += 16`
        },
        end: () => write(code)`
          lanes real = ${vector.type}
          const largest = ${largest} as real
          const sums = ${sums}
          let before = real[${state}]
          // If no term has counted, the origin is 0, because -infinity minus -infinity would be NaN.
          let origin = v128.andnot(largest, largest == -infinity) as real
          var total = real(0)
          for at in ${scratch}..${kept} step 16 { total += ${exp}(real[at] - origin) as real }
          const shrink = ${widened}(${exp}(before - origin))
          const parts = ${widened}(total)
          unroll half of 0..${vector.halves} {
            const earlier = f64x2[${state} + sums[half]]
            f64x2[${state} + sums[half]] = earlier * shrink[half] + parts[half]
          }
          real[${state}] = largest`,
      }
    },
    finish(code, { state, target, remaining, result }) {
      const total = vector.narrowed(sums.map((offset) => at('v128.load', offset, state)))
      const found = value(code)`
        lanes real = ${vector.type}
        real[${state}] + ${mathCall(module, code, vector, 'log', [total])}`
      const to = { address: element(code, result('value'), target, vector.bytes), stride: 1, offset: 0 }
      storeElements(code, vector, remaining, [strided(code, vector, to, found)])
    },
  }
}
