/**
 * The fold of `count`: how many sources count for each target.
 *
 * @module
 */
import { value, write } from '../language/kernel.ts'
import { element, integers, storeElements } from '../wasm/elements.ts'
import { type Fold, type FoldOf, loadIntegers } from './fold.ts'

export const count: FoldOf = ({ vector }): Fold => ({
  additive: false,
  results: [{ name: 'count', entries: 1, type: 'u32', empty: 0 }],
  stateBytes: 16,
  tileBytes: 0,
  start: (code, { state, target, result, merge }) => write(code)`
    lanes real = ${vector.type}
    real[${state}] = 0
    if ${merge} {
      let earlier = ${result('count')} + ${target} * 4
      v128[${state}] = ${loadIntegers(vector)}(earlier) as v128
    }`,
  whole: (code, state, sources) => write(code)`
    lanes whole = ${vector.integers}
    const narrow = i32x4.splat(${sources}) as v128
    const wide = i64x2.splat(i64.extend_i32_u(${sources})) as v128
    whole[${state}] += ${vector.bytes === 4} ? narrow : wide`,
  tile(code, state) {
    const total = value(code)`
      lanes whole = ${vector.integers}
      var total = whole[${state}]
      total`
    return {
      // A condition is -1 where it holds.
      add({ condition = vector.always(code) }) {
        write(code)`
          lanes whole = ${vector.integers}
          ${total} = ${total} as whole - ${condition} as whole`
      },
      end: () => write(code)`v128[${state}] = ${total}`,
    }
  },
  finish(code, { state, target, remaining, result }) {
    const to = element(code, result('count'), target, 4)
    storeElements(code, vector, remaining, [integers(code, vector, to, value(code)`v128[${state}]`)])
  },
})
