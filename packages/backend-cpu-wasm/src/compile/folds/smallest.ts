/**
 * The fold of `nearest`: the k least terms of each target with their sources, as lists sorted by insertion. Terms are squares of distances
 * if the result is `distance`.
 *
 * The loop compares a register of terms with the worst term of each list, and calls a function to insert better ones. The state
 * is a register of worst terms, then for each lane k terms and k indices.
 *
 * @module
 */

import type { ModuleWriter } from '../expressions/module-writer.ts'
import { define, value, write } from '../language/kernel.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import type { Callable, Node } from '../wasm/nodes.ts'
import type { Vector } from '../wasm/vector.ts'
import { counting, type Fold, type FoldOf, greatest, type SourceOrder } from './fold.ts'

export const smallest =
  (k: number, order: SourceOrder, kept: 'distance' | 'value'): FoldOf =>
  (writer): Fold => {
    const { vector } = writer
    const rooted = kept === 'distance'
    const { number: scalar } = vector
    const listBytes = Math.ceil((k * (vector.bytes + 4)) / 8) * 8
    const indicesAt = k * vector.bytes
    const list = (lane: number) => 16 + lane * listBytes
    const lists = Array.from({ length: vector.lanes }, (_, lane) => list(lane))
    const stateBytes = Math.ceil(list(vector.lanes) / 16) * 16
    /** Offset of the last number of a list. */
    const lastAt = (k - 1) * vector.bytes
    return {
      additive: false,
      results: [
        { name: 'index', entries: k, type: 'i32', empty: -1 },
        { name: kept, entries: k, type: 'number', empty: Number.POSITIVE_INFINITY },
      ],
      stateBytes,
      tileBytes: 0,
      start: (code, { state, target, remaining, result, merge }) => write(code)`
        lanes real = ${vector.type}
        scalar number = ${scalar}
        const lists = ${lists}
        real[${state}] = infinity
        unroll lane of 0..${vector.lanes} {
          let list = ${state} + lists[lane]
          for n in 0..${k} {
            number[list + n * ${vector.bytes}] = infinity
            i32[list + n * 4 + ${indicesAt}] = -1
          }
          if ${merge} != 0 && i32.gt_s(${remaining}, lane) {
            let row = (${target} + lane) * ${k}
            for n in 0..${k} {
              let entry = row + n
              let kept = number[${result(kept)} + entry * ${vector.bytes}]
              let place = list + n * ${vector.bytes}
              number[place] = ${rooted} ? kept * kept : kept
              if ${rooted} { ${leastWithRoot(vector)}(place, kept) }
              i32[list + n * 4 + ${indicesAt}] = i32[${result('index')} + entry * 4]
            }
            number[${state} + lane * ${vector.bytes}] = number[list + ${lastAt}]
          }
        }`,
      lastIndex: (code, state) =>
        greatest(
          code,
          lists.map((list) => value(code)`i32[${state} + ${list + indicesAt + (k - 1) * 4}]`),
        ),
      tile(code, state) {
        const worst = value(code)`
          var worst = v128[${state}]
          worst`
        return {
          add({ terms: [term], condition, index }) {
            if (term === undefined) return
            write(code)`
              lanes real = ${vector.type}
              lanes whole = ${vector.integers}
              scalar number = ${scalar}
              const lists = ${lists}
              let term: real = ${term}
              const worst = ${worst} as real
              const ahead = ${order === 'any'} ? term <= worst : term < worst
              let counted = whole.bitmask(${counting(condition)}(ahead))
              if counted {
                unroll n of 0..${vector.lanes} {
                  if counted & 1 << n {
                    ${insertion(writer, k, order)}(${state} + lists[n], lane(term, n), ${index})
                    const last = number[${state} + (lists[n] + ${lastAt})]
                    ${worst} = pmin(worst, real.replace_lane(worst, n, last))
                  }
                }
              }`
          },
          end: () => write(code)`v128[${state}] = ${worst}`,
        }
      },
      finish: (code, { state, target, remaining, result }) => write(code)`
        scalar number = ${scalar}
        const lists = ${lists}
        unroll lane of 0..${vector.lanes} {
          if i32.gt_s(${remaining}, lane) {
            let row = ${target} + lane
            let list = ${state} + lists[lane]
            let values = ${result(kept)} + row * ${k * vector.bytes}
            let indices = ${result('index')} + row * ${k * 4}
            for n in 0..${k} {
              const kept = number[list + n * ${vector.bytes}]
              number[values + n * ${vector.bytes}] = ${rooted} ? sqrt(kept) : kept
              i32[indices + n * 4] = i32[list + n * 4 + ${indicesAt}]
            }
          }
        }`,
    }
  }

/** Two numbers can have the same rounded root, and the rounded square is at most one place beside them. */
const places = 2

/**
 * Lowers the square of a distance in memory to the least number with the same root. A later source at the same distance is then
 * not nearer, so ties keep the order of their sources.
 */
const leastWithRoot =
  ({ number: scalar, whole }: Vector) =>
  (code: FunctionBuilder, address: Node, root: Node): void =>
    write(code)`
    scalar number = ${scalar}
    scalar whole = ${whole}
    for place in 0..${places} {
      let bits = whole[${address}]
      whole[${address}] = bits - 1
      if sqrt(number[${address}]) != ${root} { whole[${address}] = bits }
    }`

/**
 * `insert(list, term, index)` moves worse entries back by one and drops the last. Equal terms keep the order of their
 * sources. If sources come in any order, the term may be worse than the last; then it is not inserted.
 */
export function insertion(
  { module, vector: { bytes, number: scalar } }: ModuleWriter,
  k: number,
  order: SourceOrder,
): Callable {
  const ascending = order === 'ascending'
  const indicesAt = k * bytes
  /** Whether the entry before a place belongs behind the term. */
  const worse = (code: FunctionBuilder, list: Node, place: Node, term: Node, index: Node) => value(code)`
    scalar number = ${scalar}
    const list = ${list} as i32
    const before = ${place} as i32 - 1
    const entry = number[list + before * ${bytes}]
    const greater = entry > ${term}
    const later = i32.gt_s(i32[list + before * 4 + ${indicesAt}], ${index})
    ${ascending} ? greater : greater || entry == ${term} && later`
  const settle = (code: FunctionBuilder, list: Node, place: Node, moving: Node, term: Node, index: Node) => {
    const test = (code: FunctionBuilder) => write(code)`
      ${moving} = 0
      if ${place} as i32 { ${moving} = ${worse}(${list}, ${place}, ${term}, ${index}) }`
    write(code)`
      scalar number = ${scalar}
      const list = ${list} as i32
      const place = ${place} as i32
      const before = place - 1
      ${place} = ${k - 1}
      ${test}()
      while ${moving} as i32 {
        number[list + place * ${bytes}] = number[list + before * ${bytes}]
        i32[list + place * 4 + ${indicesAt}] = i32[list + before * 4 + ${indicesAt}]
        ${place} = before
        ${test}()
      }
      number[list + place * ${bytes}] = ${term}
      i32[list + place * 4 + ${indicesAt}] = ${index}`
  }
  return module.once(
    'insert',
    () => define(module)`
      scalar number = ${scalar}
      fn insert(list, term: number, index) {
        var place: i32
        var moving: i32
        if ${ascending} { ${settle}(list, place, moving, term, index) } else {
          place = ${k}
          if ${worse}(list, place, term, index) { ${settle}(list, place, moving, term, index) }
        }
      }`,
  )
}
