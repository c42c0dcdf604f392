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
import { define, value, write } from '../language/kernel.ts'
import { copyBytes } from '../wasm/elements.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, type Callable, call, i32, type Node } from '../wasm/nodes.ts'
import type { Vector } from '../wasm/vector.ts'
import { type Fold, type FoldOf, greatest, type TileFold, termOr } from './fold.ts'
import { keptItems, mergedAtOnce, mergeLeast } from './merge-network.ts'
import { insertion } from './smallest.ts'

/** The most neighbours that are kept in rows. The network of more takes longer to compile than insertions take to run. */
export const mostInRows = 256
/** Offsets in the state, behind the k-th terms: the number of rows, whether sources were inserted, and the least terms. */
const [heldAt, insertedAt, keptAt] = [16, 20, 32]

/** The sources that a block meets first. They are more than a target keeps, so that its k-th term is known at once. */
export const firstSources = (k: number): number => keptItems(k + 1)
/** The most sources of a tile after the first. */
export const tileSources = 352
/** The most rows that are held. */
const mostHeld = (k: number) => 512 + 16 * k
/**
 * Offsets in the state of the terms and indices of each lane, and then of the rows and their indices. A list has one spare
 * place for sources with no rank, and the last group of rows is filled up.
 */
const layout = (k: number, bytes: number) => {
  const listBytes = Math.ceil((k * (bytes + 4) + 4) / 8) * 8
  const list = (lane: number) => keptAt + keptItems(k) * 16 + lane * listBytes
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

export const leastInRows =
  (k: number): FoldOf =>
  (writer): Fold => {
    const { vector } = writer
    const parts = layout(k, vector.bytes)
    const kept = Array.from({ length: keptItems(k) }, (_, n) => keptAt + 16 * n)
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
        i64[${state} + ${heldAt}] = 0`,
      lastIndex(code, state) {
        write(code)`${defineKeep(writer, k)}(${state}, 0)`
        return greatest(
          code,
          lanesOf(vector).map((lane) => value(code)`i32[${state} + ${parts.indices(lane) + (k - 1) * 4}]`),
        )
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
  const parts = layout(k, vector.bytes)
  const infinity = vector.constant(code, Number.POSITIVE_INFINITY)
  const bound = boundOf(vector, code, state)
  const held = code.let('i32', 'held', at('i32.load', heldAt, state))
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
        i32[${state} + ${heldAt}] = count
        if count > ${most} { ${defineKeep(writer, k)}(${state}, 0) }`
    },
  }
}

const lanesOf = ({ lanes }: Vector) => Array.from({ length: lanes }, (_, lane) => lane)

/** The k-th terms, lowered to the largest finite number, because infinite terms do not count. */
function boundOf({ type, bytes }: Vector, code: FunctionBuilder, state: Node): Node {
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
function mergeRows({ module, vector }: ModuleWriter, k: number): Callable {
  const parts = layout(k, vector.bytes)
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
        const first = i32[state + ${heldAt}] & ${-mergedAtOnce}
        const last = count & ${-mergedAtOnce}
        for group in state + first * 16..state + last * 16 step ${mergedAtOnce * 16} {
          unroll n of 0..${keptItems(k)} { let kept[n] = v128[state + (${keptAt} + n * 16)] }
          unroll n of 0..${mergedAtOnce} { let other[n] = v128[group + (${parts.rows} + n * 16)] }
          const least = ${least}(kept, other)
          unroll n of 0..${keptItems(k)} { v128[state + (${keptAt} + n * 16)] = least[n] as v128 }
        }
        v128[state] = v128[state + ${keptAt + (k - 1) * 16}]
      }`,
  )
}

/**
 * The function that moves the near sources in rows to the lists of their targets. `whole` says whether the targets have met no
 * others and will meet none.
 */
function defineKeep(writer: ModuleWriter, k: number): Callable {
  const { module, vector } = writer
  const parts = layout(k, vector.bytes)
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
    const kept = Array.from({ length: k }, (_, n) => code.let('v128', 'kept', at('v128.load', keptAt + 16 * n, state)))
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
        let held = i32[state + ${heldAt}]
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
        i32[state + ${heldAt}] = 0
        var ranked = whole & !i32[state + ${insertedAt}]
        if ranked {
          // A target may have fewer than k neighbours.
          if v128.any_true(real[state] == infinity) {
            unroll n of ${lanes} { memory.fill(state + indices[n], 255, ${k * 4}) }
          }
          ${rank}(state, nearEnd, ranked)
        }
        if !ranked {
          if !i32[state + ${insertedAt}] {
            i32[state + ${insertedAt}] = 1
            unroll lane of ${lanes} {
              for n in 0..${k} {
                number[state + n * ${bytes} + lists[lane]] = infinity
                i32[state + n * 4 + indices[lane]] = -1
              }
            }
          }
          for entry in 0..nearEnd step 4 {
            let terms = real[state + entry * 4 + ${parts.rows}]
            let index = i32[state + entry + ${parts.rowIndices}]
            unroll n of ${lanes} {
              let term: number = lane(terms, n)
              if term < infinity { ${insert}(state + lists[n], term, index) }
            }
          }
        }
      }`,
  )
}

type EachTerm = (code: FunctionBuilder, term: Node, index: Node) => void
