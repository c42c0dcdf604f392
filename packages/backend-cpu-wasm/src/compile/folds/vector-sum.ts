/**
 * The fold of a sum that is a vector of any length: `sum.ts`, with a loop over components in place of a variable for each. Within a tile
 * the components are in scratch.
 *
 * @module
 */
import type { ModuleWriter } from '../expressions/module-writer.ts'
import { write } from '../language/kernel.ts'
import { element, loadElements, storeElements, strided } from '../wasm/elements.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, get, i32, type Node, plus, set, times } from '../wasm/nodes.ts'
import type { Fold } from './fold.ts'

/** @param components how many the vector has */
export function vectorSum(writer: ModuleWriter, name: string, components: number): Fold {
  const { vector } = writer
  const { width, bytes, halves } = vector
  const stateBytes = components * halves * 16
  return {
    additive: false,
    results: [{ name, entries: components, type: 'number', empty: 0 }],
    stateBytes,
    tileBytes: components * width,
    start(code, { state }) {
      write(code)`for at in ${state}..${state} + ${stateBytes} step 16 { f64x2[at] = 0 }`
    },
    tile(code, state, scratch) {
      const sums = code.let('i32', 'sums', scratch)
      write(code)`for at in ${sums}..${sums} + ${components * width} step 16 { f64x2[at] = 0 }`
      return {
        add({ components: each }) {
          each?.(code, components, (k, values) => {
            const to = k ? code.let('i32', 'sum', plus(sums, times(k, width / bytes))) : sums
            for (const [n, value] of values)
              code.emit(at('v128.store', n * width, to, writer.sum(at('v128.load', n * width, to), value)))
          })
        },
        end() {
          const widened = (code: FunctionBuilder, sum: Node) => vector.widened(code, sum)
          write(code)`
            for n in 0..${components} {
              let from = ${sums} + n * ${width}
              let to = ${state} + n * ${halves * 16}
              const halves = ${widened}(v128[from])
              unroll half of 0..${halves} { f64x2[to + half * 16] += halves[half] as f64x2 }
            }`
        },
      }
    },
    finish(code, { state, target, remaining, result, merge }) {
      const to = element(code, result(name), target, components * bytes)
      code.for('component', i32(0), i32(components), 1, (n) => {
        const from = code.let('i32', 'from', plus(state, times(n, halves * 16)))
        const place = { address: code.let('i32', 'to', plus(to, times(n, bytes))), stride: components, offset: 0 }
        const value = code.local('v128', name)
        const total = vector.narrowed(Array.from({ length: halves }, (_, half) => at('v128.load', 16 * half, from)))
        code.emit(set(value, total))
        code.if(merge, () => code.emit(set(value, vector.op('add', get(value), loadElements(code, vector, place)))))
        storeElements(code, vector, remaining, [strided(code, vector, place, get(value))])
      })
    },
  }
}
