/**
 * The fold of `nearest` by blocks for few neighbours. Registers hold the least terms so far, sorted in every lane.
 *
 * A tile writes the terms of each source that is near enough for one of its targets to a row, one register each. A network then
 * merges the rows with the least terms so far. No branch depends on a term, because no processor can predict which sources are
 * near.
 *
 * At the end, all least terms are known. Each near source in a row then goes to its place in the list of its target: the number
 * of lesser terms is its rank. If terms are equal, fewer than k count, or some rows are gone already, sources are inserted one
 * by one instead.
 *
 * @module
 */
import type { ModuleWriter } from '../expressions/module-writer.ts'
import { write } from '../language/kernel.ts'
import { copyBytes } from '../wasm/elements.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, type Node } from '../wasm/nodes.ts'
import { type Fold, type FoldOf, type TileFold, termOr } from './fold.ts'
import { keptItems } from './merge-network.ts'
import { boundOf, defineKeep, lanesOf, latestIn, mergeRows, mostHeld, rowsLayout, rowsState } from './rows.ts'

/** The most neighbours that are kept in rows. The network of more takes longer to compile than insertions take to run. */
export const mostInRows = 256
/** The sources that a block meets first. They are more than a target keeps, so that its k-th term is known at once. */
export const firstSources = (k: number): number => keptItems(k + 1)
/** The most sources of a tile after the first. */
export const tileSources = 352
export const leastInRows =
  (k: number): FoldOf =>
  (writer): Fold => {
    const { vector } = writer
    const parts = rowsLayout(k, vector.bytes)
    const kept = Array.from({ length: keptItems(k) }, (_, n) => rowsState.kept + 16 * n)
    return {
      additive: false,
      stateBytes: Math.ceil(parts.end / 16) * 16,
      tileBytes: 0,
      results: [
        { name: 'index', entries: k, type: 'i32', empty: -1 },
        { name: 'distance', entries: k, type: 'number', empty: Number.POSITIVE_INFINITY },
      ],
      start: (code, { state }) => write(code)`
        lanes real = ${vector.type}
        unroll row of ${[0, ...kept]} { real[${state} + row] = infinity }
        i64[${state} + ${rowsState.held}] = 0`,
      lastIndex(code, state) {
        write(code)`${defineKeep(writer, k)}(${state}, 0)`
        return latestIn(vector, parts, k)(code, state)
      },
      tile: (code, state) => tileOf(writer, k, code, state),
      finish(code, { state, target, remaining, result }) {
        const indices = lanesOf(vector).map(parts.indices)
        const copy = (code: FunctionBuilder, to: Node, from: Node) => copyBytes(code, to, from, k * 4)
        write(code)`
          lanes real = ${vector.type}
          scalar number = ${vector.number}
          const rows = ${kept}
          const indices = ${indices}
          ${defineKeep(writer, k)}(${state}, 1)
          unroll n of 0..${k} { let distance[n] = sqrt(real[${state} + rows[n]]) }
          unroll one of 0..${vector.lanes} {
            if i32.gt_s(${remaining}, one) {
              let row = ${target} + one
              let distances = ${result('distance')} + row * ${k * vector.bytes}
              unroll n of 0..${k} { number[distances + n * ${vector.bytes}] = lane(distance[n], one) }
              let from = ${state} + indices[one]
              let to = ${result('index')} + row * ${k * 4}
              ${copy}(to, from)
            }
          }`
      },
    }
  }

function tileOf(writer: ModuleWriter, k: number, code: FunctionBuilder, state: Node): TileFold {
  const { vector } = writer
  const parts = rowsLayout(k, vector.bytes)
  const infinity = vector.constant(code, Number.POSITIVE_INFINITY)
  const bound = boundOf(vector, code, state)
  const held = code.let('i32', 'held', at('i32.load', rowsState.held, state))
  const [row, index] = [code.local('i32', 'nextRow'), code.local('i32', 'nextIndex')]
  write(code)`
    ${row} = ${state} + ${held} * 16
    ${index} = ${state} + ${held} * 4`
  return {
    add(pair) {
      const term = termOr(code, vector, Number.POSITIVE_INFINITY, pair)
      if (term === undefined) return
      write(code)`
        lanes real = ${vector.type}
        // NaN would compare as not less, so it becomes infinity.
        let term = pmin(${infinity} as real, ${term})
        real[${row} + ${parts.rows}] = term
        i32[${index} + ${parts.rowIndices}] = ${pair.index}
        let near = v128.any_true(term <= ${bound})
        ${row} = ${row} + near * 16
        ${index} = ${index} + near * 4`
    },
    end() {
      const most = mostHeld(k) - Math.max(tileSources, firstSources(k))
      write(code)`
        let count = ${row} - ${state} >> 4
        ${mergeRows(writer, k)}(${state}, count)
        i32[${state} + ${rowsState.held}] = count
        if count > ${most} { ${defineKeep(writer, k)}(${state}, 0) }`
    },
  }
}
