/**
 * The fold of reductions that pick a source, such as `argmin`: the least or greatest term of each target, and the first
 * source that has it.
 *
 * @module
 */
import { value, write } from '../language/kernel.ts'
import { element, integers, storeElements, strided } from '../wasm/elements.ts'
import { counting, type Fold, type FoldOf, greatest, loadIntegers, type SourceOrder } from './fold.ts'

export const pick =
  (picks: 'least' | 'greatest', order: SourceOrder): FoldOf =>
  ({ vector }): Fold => {
    const nothing = picks === 'least' ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY
    return {
      additive: false,
      results: [
        { name: 'value', entries: 1, type: 'number', empty: nothing },
        { name: 'index', entries: 1, type: 'i32', empty: -1 },
      ],
      stateBytes: 32,
      tileBytes: 0,
      start: (code, { state, target, result, merge }) => write(code)`
        lanes real = ${vector.type}
        lanes whole = ${vector.integers}
        let values = ${result('value')} + ${target} * ${vector.bytes}
        real[${state}] = ${nothing}
        whole[${state} + 16] = -1
        if ${merge} {
          v128[${state}] = v128[values]
          let indices = ${result('index')} + ${target} * 4
          v128[${state} + 16] = ${loadIntegers(vector)}(indices) as v128
        }`,
      lastIndex: (code, state) =>
        greatest(
          code,
          Array.from({ length: vector.lanes }, (_, lane) => value(code)`i32[${state} + ${16 + lane * vector.bytes}]`),
        ),
      tile(code, state) {
        const best = value(code)`
          var best = v128[${state}]
          best`
        const where = value(code)`
          var where = v128[${state} + 16]
          where`
        return {
          add({ terms: [given], condition, index }) {
            if (given === undefined) return
            const anyOrder = order === 'any'
            const term = code.let('v128', 'term', given)
            const source = anyOrder ? code.let('v128', 'source', vector.splatIndex(index)) : vector.splatIndex(index)
            write(code)`
              lanes real = ${vector.type}
              lanes whole = ${vector.integers}
              const term = ${term} as real
              const best = ${best} as real
              const better = ${picks === 'least'} ? term < best : term > best
              const before = (term == best) & whole.lt_s(${source}, ${where})
              const ahead = ${anyOrder} ? better | before : better
              let counts: real = ${counting(condition)}(ahead)
              ${best} = v128.bitselect(term, best, counts)
              ${where} = v128.bitselect(${source}, ${where}, counts)`
          },
          end: () => write(code)`
            v128[${state}] = ${best}
            v128[${state} + 16] = ${where}`,
        }
      },
      finish(code, { state, target, remaining, result }) {
        const values = { address: element(code, result('value'), target, vector.bytes), stride: 1, offset: 0 }
        storeElements(code, vector, remaining, [
          strided(code, vector, values, value(code)`v128[${state}]`),
          integers(code, vector, element(code, result('index'), target, 4), value(code)`v128[${state} + 16]`),
        ])
      },
    }
  }
