/**
 * The fold of a sum: in the precision of the device within a tile, in float64 across tiles.
 *
 * @module
 */
import type { PairWorkload } from '@manybody/core'
import { write } from '../language/kernel.ts'
import { element, loadElements, storeElements, strided } from '../wasm/elements.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, get, type Node, set } from '../wasm/nodes.ts'
import type { Fold, FoldOf } from './fold.ts'

const sum =
  (name: string): FoldOf =>
  (writer, components): Fold => {
    const { vector } = writer
    const wide = vector.halves
    const parts = Array.from({ length: components }, (_, c) =>
      Array.from({ length: wide }, (_, h) => (c * wide + h) * 16),
    )
    return {
      additive: true,
      results: [{ name, entries: components, type: 'number', empty: 0 }],
      stateBytes: components * wide * 16,
      tileBytes: 0,
      start(code, { state }) {
        write(code)`unroll at of ${parts.flat()} { f64x2[${state} + at] = 0 }`
      },
      tile(code, state) {
        const totals = parts.map(() => code.local('v128', 'total'))
        for (const total of totals) code.emit(set(total, vector.constant(code, 0)))
        return {
          add({ terms }) {
            for (const [c, total] of totals.entries()) {
              const term = terms[c]
              if (term) code.emit(set(total, writer.sum(get(total), term)))
            }
          },
          end() {
            const widened = (code: FunctionBuilder, total: Node) => vector.widened(code, total)
            for (const [c, total] of totals.entries())
              write(code)`
                const halves = ${widened}(${total})
                unroll half of 0..${wide} { f64x2[${state} + (${c * wide * 16} + half * 16)] += halves[half] as f64x2 }`
          },
        }
      },
      finish(code, { state, target, remaining, result, merge }, scale) {
        const to = element(code, result(name), target, components * vector.bytes)
        const stores = parts.map((offsets, c) => {
          const place = { address: to, stride: components, offset: c * vector.bytes }
          const total = vector.narrowed(offsets.map((offset) => at('v128.load', offset, state)))
          const value = code.local('v128', name)
          code.emit(set(value, scale ? vector.op('mul', total, scale) : total))
          code.if(merge, () => code.emit(set(value, vector.op('add', get(value), loadElements(code, vector, place)))))
          return strided(code, vector, place, get(value))
        })
        storeElements(code, vector, remaining, stores)
      },
    }
  }

/** The fold of the sums of a workload. */
export const sumOf = ({ results }: Pick<PairWorkload, 'results'>): FoldOf => sum(results[0] ?? 'value')
