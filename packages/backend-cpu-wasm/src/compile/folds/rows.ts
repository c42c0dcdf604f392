/**
 * The state of the fold of `nearest` in rows (`least-rows.ts`): its layout, and the functions that merge rows and move their sources to
 * the lists of targets.
 *
 * @module
 */
import type { ModuleWriter } from '../expressions/module-writer.ts'
import { define, value, write } from '../language/kernel.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, type Callable, call, i32, type Node } from '../wasm/nodes.ts'
import type { Vector } from '../wasm/vector.ts'
import { greatest } from './fold.ts'
import { keptItems, mergedAtOnce, mergeLeast } from './merge-network.ts'
import { insertion } from './smallest.ts'

/** Offsets in the state, behind the k-th terms: the number of rows, whether sources were inserted, and the least terms. */
export const rowsState: { readonly [Name in 'held' | 'inserted' | 'kept']: number } = {
  held: 16,
  inserted: 20,
  kept: 32,
}

/** Where the parts of the state are. */
interface RowsLayout {
  /** The list of a lane: k terms. */
  readonly list: (lane: number) => number
  /** The indices of the list of a lane. */
  readonly indices: (lane: number) => number
  readonly rows: number
  readonly rowIndices: number
  readonly end: number
}

/** The most rows that are held. */
export const mostHeld = (k: number): number => 512 + 16 * k
/**
 * Offsets in the state of the terms and indices of each lane, and then of the rows and their indices. A list has one spare
 * place for sources with no rank, and the last group of rows is filled up.
 */
export function rowsLayout(k: number, bytes: number): RowsLayout {
  const listBytes = Math.ceil((k * (bytes + 4) + 4) / 8) * 8
  const list = (lane: number) => rowsState.kept + keptItems(k) * 16 + lane * listBytes
  const rows = Math.ceil(list(16 / bytes) / 16) * 16
  const held = mostHeld(k) + mergedAtOnce
  return {
    list,
    indices: (lane: number) => list(lane) + k * bytes,
    rows,
    rowIndices: rows + 16 * held,
    end: rows + 20 * held,
  }
}

export const lanesOf = ({ lanes }: Vector): readonly number[] => Array.from({ length: lanes }, (_, lane) => lane)

/** The latest source that is the last one of a list. */
export const latestIn =
  (vector: Vector, { indices }: RowsLayout, k: number) =>
  (code: FunctionBuilder, state: Node): Node =>
    greatest(
      code,
      lanesOf(vector).map((lane) => value(code)`i32[${state} + ${indices(lane) + (k - 1) * 4}]`),
    )

/** The k-th terms, lowered to the largest finite number, because infinite terms do not count. */
export function boundOf({ type, bytes }: Vector, code: FunctionBuilder, state: Node): Node {
  const largest = bytes === 4 ? (2 - 2 ** -23) * 2 ** 127 : Number.MAX_VALUE
  return value(code)`
    lanes real = ${type}
    let bound = pmin(real[${state}], ${largest})
    bound`
}

/**
 * A function of `state, count` that merges the rows up to a count, in whole groups, with the least terms. Rows merged before
 * are skipped.
 */
export function mergeRows({ module, vector }: ModuleWriter, k: number): Callable {
  const parts = rowsLayout(k, vector.bytes)
  const exchange = (code: FunctionBuilder) => (a: Node, b: Node) => {
    const least = value(code)`
      lanes real = ${vector.type}
      let item = pmin(${a} as real, ${b})
      item`
    const most = value(code)`
      lanes real = ${vector.type}
      let item = pmax(${a} as real, ${b})
      item`
    return [least, most] as const
  }
  const least = (code: FunctionBuilder, kept: readonly Node[], others: readonly Node[]) =>
    mergeLeast(kept, others, exchange(code))
  return module.once(
    'mergeRows',
    () => define(module)`
      fn mergeRows(state, count) {
        const first = i32[state + ${rowsState.held}] & ${-mergedAtOnce}
        const last = count & ${-mergedAtOnce}
        for group in state + first * 16..state + last * 16 step ${mergedAtOnce * 16} {
          unroll n of 0..${keptItems(k)} { let kept[n] = v128[state + (${rowsState.kept} + n * 16)] }
          unroll n of 0..${mergedAtOnce} { let other[n] = v128[group + (${parts.rows} + n * 16)] }
          const least = ${least}(kept, other)
          unroll n of 0..${keptItems(k)} { v128[state + (${rowsState.kept} + n * 16)] = least[n] as v128 }
        }
        v128[state] = v128[state + ${rowsState.kept + (k - 1) * 16}]
      }`,
  )
}

/**
 * The function that moves the near sources in rows to the lists of their targets. `whole` says whether the targets have met no
 * others and will meet none.
 */
export function defineKeep(writer: ModuleWriter, k: number): Callable {
  const { module, vector } = writer
  const parts = rowsLayout(k, vector.bytes)
  const lanes = lanesOf(vector)
  const { bytes } = vector
  const merge = (_: FunctionBuilder, state: Node, count: Node) => call(mergeRows(writer, k), state, count)
  const bound = (code: FunctionBuilder, state: Node) => boundOf(vector, code, state)
  const ranks = (_: FunctionBuilder, rank: Node | number) =>
    vector.splatIndex(typeof rank === 'number' ? i32(rank) : rank)
  const insert = (_: FunctionBuilder, list: Node, term: Node, index: Node) =>
    call(insertion(writer, k, 'any'), list, term, index)
  /** Gives the term of each source in the rows up to an end, and its index. */
  const each = (code: FunctionBuilder, state: Node, end: Node, visit: EachTerm) => write(code)`
    lanes real = ${vector.type}
    const state = ${state} as i32
    for entry in 0..${end} step 4 {
      let term = real[state + entry * 4 + ${parts.rows}]
      let index = i32[state + entry + ${parts.rowIndices}]
      ${visit}(term, index)
    }`
  /** Writes the sources in order of their ranks. They are right if all kept terms have different ranks. */
  const rank = (code: FunctionBuilder, state: Node, nearEnd: Node, ranked: Node) => {
    const kept = Array.from({ length: k }, (_, n) =>
      code.let('v128', 'kept', at('v128.load', rowsState.kept + 16 * n, state)),
    )
    const sum = code.local('v128', 'sum')
    const place: EachTerm = (code, term, index) => write(code)`
      lanes real = ${vector.type}
      lanes whole = ${vector.integers}
      const term = ${term} as real
      const kept = ${kept}
      const indices = ${lanes.map(parts.indices)}
      // A true comparison gives -1.
      const lesser = sum(n of 0..${k}: (kept[n] as real < term) as whole)
      let rank: whole = v128.bitselect(lesser, ${ranks}(${-k}), term < infinity)
      ${sum} = ${sum} as whole + rank
      unroll n of ${lanes} {
        const place = lane(rank as i32x4, ${bytes / 4} * n)
        i32[${state} as i32 - place * 4 + indices[n]] = ${index}
      }`
    write(code)`
      lanes real = ${vector.type}
      lanes whole = ${vector.integers}
      const kept = ${kept}
      ${sum} = ${ranks(code, 0)}
      ${each}(${state}, ${nearEnd}, ${place})
      // Every term that is not kept has the rank k. The sum of all ranks shows whether the others differ.
      const near = ${nearEnd} as i32 >> 2
      const before = sum(n of 0..${k}: ((kept[n] as real < infinity) & ${ranks}(${k} - n)) as whole)
      const expected = ${ranks}(near * ${-k}) as whole + before
      ${ranked} = !v128.any_true(${sum} ^ expected)`
  }
  /** Inserts the sources in the rows up to an end. Where many are equal, most come after those that a list keeps, and are skipped. */
  const insertRows = (code: FunctionBuilder, state: Node, nearEnd: Node) => {
    const [last, latest] = [code.local('v128', 'last'), code.local('i32', 'latest')]
    const lasts = lanes.map((lane) => parts.list(lane) + (k - 1) * bytes)
    const look = (code: FunctionBuilder) => write(code)`
      lanes real = ${vector.type}
      scalar number = ${vector.number}
      const lasts = ${lasts}
      unroll n of ${lanes} { ${last} = real.replace_lane(${last}, n, number[${state} + lasts[n]]) }
      ${latest} = ${latestIn(vector, parts, k)}(${state})`
    const insertRow: EachTerm = (code, terms, index) => write(code)`
      lanes real = ${vector.type}
      scalar number = ${vector.number}
      const terms = ${terms} as real
      const last = ${last} as real
      let less = v128.any_true(terms < last)
      let equal = v128.any_true(terms == last) & (${index} as i32 < ${latest})
      if less | equal {
        const lists = ${lanes.map(parts.list)}
        unroll n of ${lanes} {
          let term: number = lane(terms, n)
          if term < infinity { ${insert}(${state} + lists[n], term, ${index}) }
        }
        ${look}()
      }`
    write(code)`
      ${look}()
      ${each}(${state}, ${nearEnd}, ${insertRow})`
  }
  return module.once(
    'keep',
    () => define(module)`
      lanes real = ${vector.type}
      scalar number = ${vector.number}
      const indices = ${lanes.map(parts.indices)}
      const lists = ${lanes.map(parts.list)}
      fn keep(state, whole) {
        var nearEnd: i32
        // Fills up the last group.
        let held = i32[state + ${rowsState.held}]
        let filled = held + ${mergedAtOnce - 1}
        for rest in held..filled { real[state + rest * 16 + ${parts.rows}] = infinity }
        ${merge}(state, filled)
        let bound: real = ${bound}(state)
        for entry in 0..held * 4 step 4 {
          let term = real[state + entry * 4 + ${parts.rows}]
          let index = i32[state + entry + ${parts.rowIndices}]
          real[state + nearEnd * 4 + ${parts.rows}] = term
          i32[state + nearEnd + ${parts.rowIndices}] = index
          nearEnd += v128.any_true(term <= bound) * 4
        }
        i32[state + ${rowsState.held}] = 0
        var ranked = whole & !i32[state + ${rowsState.inserted}]
        if ranked {
          // A target may have fewer than k neighbours.
          if v128.any_true(real[state] == infinity) {
            unroll n of ${lanes} { memory.fill(state + indices[n], 255, ${k * 4}) }
          }
          ${rank}(state, nearEnd, ranked)
        }
        if !ranked {
          if !i32[state + ${rowsState.inserted}] {
            i32[state + ${rowsState.inserted}] = 1
            unroll lane of ${lanes} {
              for n in 0..${k} {
                number[state + n * ${bytes} + lists[lane]] = infinity
                i32[state + n * 4 + indices[lane]] = -1
              }
            }
          }
          ${insertRows}(state, nearEnd)
        }
      }`,
  )
}

type EachTerm = (code: FunctionBuilder, term: Node, index: Node) => void
