/**
 * The fold of every reduction that keeps a few numbers. The rule in core says how a term and another state change them.
 *
 * Where rounding adds up, each tile has a state of its own, which then joins the state of earlier tiles in float64.
 *
 * @module
 */
import type { NumbersFold, StateChange } from '@manybody/core/expression'
import type { ModuleWriter } from '../expressions/module-writer.ts'
import { value } from '../language/kernel.ts'
import { element, loadElements, storeElements, strided } from '../wasm/elements.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, get, i32, type Node, op, set } from '../wasm/nodes.ts'
import { float64, type Vector } from '../wasm/vector.ts'
import type { Fold, FoldOf, TargetRegister } from './fold.ts'

interface Named {
  readonly name: string
}
/** One value for each name, in order. */
const valuesOf = (named: readonly Named[], values: readonly Node[], prefix = ''): [string, Node][] =>
  named.map(({ name }, n) => [`${prefix}${name}`, values[n] as Node])

/** Whether all numbers have these values, lane by lane. */
const equal = (
  code: FunctionBuilder,
  vector: Vector,
  numbers: readonly Node[],
  values: readonly number[],
): Node => value(code)`
  lanes real = ${vector.type}
  const numbers = ${numbers}
  const values = ${values}
  let empty = all(n of 0..${values.length}: numbers[n] as real == real(values[n]))
  empty`

export const numbersFoldOf =
  ({ state, add, join, results, fromResults, keepsNaN: inTiles }: NumbersFold): FoldOf =>
  (writer): Fold => {
    const { vector } = writer
    const largest = vector.bytes === 4 ? (2 - 2 ** -23) * 2 ** 127 : Number.MAX_VALUE
    const first = state.map(({ empty }) => Math.min(Math.max(empty, -largest), largest))
    const empties = results.map(({ empty }) => empty)
    /** The state in memory. In float64, a number takes one register, or two for four lanes of float32. */
    const [wide, halves] = inTiles ? [float64, vector.halves] : [vector, 1]
    const widened = (code: FunctionBuilder, value: Node) => (inTiles ? vector.widened(code, value) : [value])
    const narrowed = (parts: readonly Node[]) => (inTiles ? vector.narrowed(parts) : (parts[0] as Node))
    const eachHalf = Array.from({ length: halves }, (_, half) => half)
    const offset = (n: number, half: number) => 16 * (n * halves + half)
    const load = (address: Node, half: number) => state.map((_, n) => at('v128.load', offset(n, half), address))
    const store = (code: FunctionBuilder, address: Node, values: readonly Node[], half: number) =>
      code.emit(...values.map((value, n) => at('v128.store', offset(n, half), address, value)))
    const earlierResults = (code: FunctionBuilder, { target, result }: TargetRegister) =>
      results.map(({ name }) => {
        const place = { address: element(code, result(name), target, vector.bytes), stride: 1, offset: 0 }
        return code.let('v128', name, loadElements(code, vector, place))
      })
    return {
      additive: false,
      results: results.map(({ name, empty }) => ({ name, entries: 1, type: 'number', empty })),
      stateBytes: offset(state.length, 0),
      tileBytes: 0,
      start(code, register) {
        const nothing = first.map((number) => wide.constant(code, number))
        for (const half of eachHalf) store(code, register.state, nothing, half)
        code.if(register.merge, () => {
          const earlier = earlierResults(code, register)
          const empty = equal(code, vector, earlier, empties)
          const value = writer.evaluate(code, new Map(valuesOf(results, earlier)), [])
          for (const [n, e] of fromResults.entries()) {
            const number = op('v128.bitselect', vector.constant(code, first[n] as number), value(e), empty)
            for (const [half, part] of widened(code, number).entries())
              code.emit(at('v128.store', offset(n, half), register.state, part))
          }
        })
      },
      // A least distance of 0 stays, whatever comes.
      lastIndex: () => i32(0),
      tile(code, address) {
        const locals = state.map(({ name }) => code.local('v128', name))
        const start = inTiles ? first.map((number) => vector.constant(code, number)) : load(address, 0)
        for (const [n, local] of locals.entries()) code.emit(set(local, start[n] as Node))
        return {
          add({ terms: [given], condition }) {
            if (given === undefined) return
            const known = new Map([
              ...valuesOf(state, locals.map(get)),
              ['term', code.let('v128', 'term', given)] as const,
            ])
            const next = changed(code, writer, add, known)
            for (const [n, local] of locals.entries()) {
              const value = next[n] as Node
              code.emit(set(local, condition ? op('v128.bitselect', value, get(local), condition) : value))
            }
          },
          end() {
            if (!inTiles) return store(code, address, locals.map(get), 0)
            const parts = locals.map((local) => vector.widened(code, get(local)))
            for (const half of eachHalf) {
              const other = parts.map((values) => values[half] as Node)
              const known = new Map([...valuesOf(state, load(address, half)), ...valuesOf(state, other, 'other_')])
              store(code, address, changed(code, writer, join, known, wide), half)
            }
          },
        }
      },
      finish(code, { state: address, target, remaining, result }) {
        const columns = eachHalf.map((half) => {
          const numbers = load(address, half).map((value, n) => code.let('v128', state[n]?.name ?? '', value))
          const empty = equal(code, wide, numbers, first)
          const value = writer.evaluate(code, new Map(valuesOf(state, numbers)), [], { vector: wide })
          return results.map((one) => op('v128.bitselect', wide.constant(code, one.empty), value(one.value), empty))
        })
        const stores = results.map(({ name }, n) => {
          const place = { address: element(code, result(name), target, vector.bytes), stride: 1, offset: 0 }
          return strided(code, vector, place, narrowed(columns.map((column) => column[n] as Node)))
        })
        storeElements(code, vector, remaining, stores)
      },
    }
  }

/** The new numbers of a state. All are computed before one is set. */
function changed(
  code: FunctionBuilder,
  writer: ModuleWriter,
  { lets, next }: StateChange,
  known: ReadonlyMap<string, Node>,
  vector: Vector = writer.vector,
): readonly Node[] {
  const value = writer.evaluate(code, known, lets, { vector })
  const last = next.length - 1
  return next.map((e, n) => (n < last ? code.let('v128', 'next', value(e)) : value(e)))
}
