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
import { copyBytes, element } from '../wasm/elements.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { integers } from '../wasm/module-builder.ts'
import { at, type Callable, call, get, i32, i64, laned, type Node, op, plus, set, times } from '../wasm/nodes.ts'
import { type Fold, type FoldOf, greatest, type TileFold } from './fold.ts'
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
      start(code, { state }) {
        const infinity = vector.constant(code, Number.POSITIVE_INFINITY)
        for (const row of [0, ...kept]) code.emit(at('v128.store', row, state, infinity))
        code.emit(at('i64.store', heldAt, state, i64(0n)))
      },
      lastIndex(code, state) {
        code.emit(call(defineKeep(writer, k), state, i32(0)))
        return greatest(
          code,
          Array.from({ length: vector.lanes }, (_, lane) => at('i32.load', parts.indices(lane) + (k - 1) * 4, state)),
        )
      },
      tile: (code, state) => tileOf(writer, k, code, state),
      finish(code, { state, target, remaining, result }) {
        code.emit(call(defineKeep(writer, k), state, i32(1)))
        const found = kept
          .slice(0, k)
          .map((row) => code.let('v128', 'distance', vector.unary('sqrt', at('v128.load', row, state))))
        for (let lane = 0; lane < vector.lanes; lane++)
          code.if(op('i32.gt_s', remaining, i32(lane)), () => {
            const row = code.let('i32', 'row', plus(target, lane))
            const distances = code.let('i32', 'distances', element(code, result('distance'), row, k * vector.bytes))
            for (const [n, distance] of found.entries())
              code.emit(vector.storeLane(lane, n * vector.bytes, distances, distance))
            const indices = code.let('i32', 'indices', plus(state, parts.indices(lane)))
            copyBytes(code, element(code, result('index'), row, k * 4), indices, k * 4)
          })
      },
    }
  }

function tileOf(writer: ModuleWriter, k: number, code: FunctionBuilder, state: Node): TileFold {
  const { vector } = writer
  const parts = layout(k, vector.bytes)
  const infinity = vector.constant(code, Number.POSITIVE_INFINITY)
  const bound = code.let('v128', 'bound', boundOf(writer, code, state))
  const held = code.let('i32', 'held', at('i32.load', heldAt, state))
  const [row, index] = [code.local('i32', 'nextRow'), code.local('i32', 'nextIndex')]
  code.emit(set(row, plus(state, times(held, 16))), set(index, plus(state, times(held, 4))))
  return {
    add({ terms: [term], condition, index: source }) {
      if (term === undefined) return
      const counted = condition ? op('v128.bitselect', term, infinity, condition) : term
      // NaN would compare as not less, so it becomes infinity.
      const value = code.let('v128', 'term', vector.op('pmin', infinity, counted))
      code.emit(at('v128.store', parts.rows, get(row), value), at('i32.store', parts.rowIndices, get(index), source))
      const near = code.let('i32', 'near', op('v128.any_true', vector.op('le', value, bound)))
      code.emit(set(row, plus(get(row), times(near, 16))), set(index, plus(get(index), times(near, 4))))
    },
    end() {
      const count = code.let('i32', 'count', op('i32.shr_u', op('i32.sub', get(row), state), i32(4)))
      code.emit(call(mergeRows(writer, k), state, count))
      code.emit(at('i32.store', heldAt, state, count))
      code.if(op('i32.gt_u', count, i32(mostHeld(k) - Math.max(tileSources, firstSources(k)))), () =>
        code.emit(call(defineKeep(writer, k), state, i32(0))),
      )
    },
  }
}

/** The k-th terms, lowered to the largest finite number, because infinite terms do not count. */
function boundOf({ vector }: ModuleWriter, code: FunctionBuilder, state: Node): Node {
  const largest = vector.bytes === 4 ? (2 - 2 ** -23) * 2 ** 127 : Number.MAX_VALUE
  return vector.op('pmin', at('v128.load', 0, state), vector.constant(code, largest))
}

/**
 * A function of `state, count` that merges the rows up to a count, in whole groups, with the least terms. Rows merged before
 * are skipped.
 */
function mergeRows(writer: ModuleWriter, k: number): Callable {
  const { module, vector } = writer
  const parts = layout(k, vector.bytes)
  return module.once('mergeRows', () =>
    module.define('mergeRows', integers('state', 'count'), undefined, (code, { state, count }) => {
      const named = (value: Node) => code.let('v128', 'item', value)
      const exchange = (a: Node, b: Node) => [named(vector.op('pmin', a, b)), named(vector.op('pmax', a, b))] as const
      const items = (offset: number, from: Node, count: number) =>
        Array.from({ length: count }, (_, n) => named(at('v128.load', offset + n * 16, from)))
      const rowOf = (count: Node) => plus(state, times(op('i32.and', count, i32(-mergedAtOnce)), 16))
      code.for('group', rowOf(at('i32.load', heldAt, state)), rowOf(count), mergedAtOnce * 16, (group) => {
        const least = mergeLeast(items(keptAt, state, keptItems(k)), items(parts.rows, group, mergedAtOnce), exchange)
        for (const [n, item] of least.entries()) code.emit(at('v128.store', keptAt + n * 16, state, item))
      })
      code.emit(at('v128.store', 0, state, at('v128.load', keptAt + (k - 1) * 16, state)))
    }),
  )
}

/**
 * The function that moves the near sources in rows to the lists of their targets. `whole` says whether the targets have met no
 * others and will meet none.
 */
function defineKeep(writer: ModuleWriter, k: number): Callable {
  const { module, vector } = writer
  const parts = layout(k, vector.bytes)
  const lanes = Array.from({ length: vector.lanes }, (_, lane) => lane)
  const scalar = vector.bytes === 4 ? 'f32' : 'f64'
  const infinity: Node = { kind: 'constant', type: scalar, value: Number.POSITIVE_INFINITY }
  const add = (a: Node, b: Node) => op(`${vector.integers}.add`, a, b)
  return module.once('keep', () =>
    module.define('keep', integers('state', 'whole'), undefined, (code, { state, whole }) => {
      const endless = vector.constant(code, Number.POSITIVE_INFINITY)
      const nearEnd = code.local('i32', 'nearEnd')
      const rowAt = (entry: Node) => plus(state, times(entry, 4))
      // Fills up the last group.
      const held = code.let('i32', 'held', at('i32.load', heldAt, state))
      const filled = code.let('i32', 'filled', plus(held, mergedAtOnce - 1))
      code.for('rest', held, filled, 1, (rest) =>
        code.emit(at('v128.store', parts.rows, plus(state, times(rest, 16)), endless)),
      )
      code.emit(call(mergeRows(writer, k), state, filled))
      const bound = code.let('v128', 'bound', boundOf(writer, code, state))
      /** Visits the term of each source in the rows up to an end, and its index. */
      const each = (end: Node, visit: (value: Node, index: Node) => void) =>
        code.for('entry', i32(0), end, 4, (entry) => {
          const value = code.let('v128', 'value', at('v128.load', parts.rows, rowAt(entry)))
          visit(value, code.let('i32', 'index', at('i32.load', parts.rowIndices, plus(state, entry))))
        })
      each(times(held, 4), (value, index) => {
        code.emit(at('v128.store', parts.rows, rowAt(get(nearEnd)), value))
        code.emit(at('i32.store', parts.rowIndices, plus(state, get(nearEnd)), index))
        const counts = op('v128.any_true', vector.op('le', value, bound))
        code.emit(set(nearEnd, plus(get(nearEnd), times(counts, 4))))
      })
      code.emit(at('i32.store', heldAt, state, i32(0)))
      const ranked = code.local('i32', 'ranked')
      const inserted = at('i32.load', insertedAt, state)
      code.emit(set(ranked, op('i32.and', whole, op('i32.eqz', inserted))))
      code.if(get(ranked), () => {
        const worst = at('v128.load', 0, state)
        // A target may have fewer than k neighbours.
        code.if(op('v128.any_true', vector.op('eq', worst, endless)), () => {
          for (const lane of lanes) code.emit(op('memory.fill', plus(state, parts.indices(lane)), i32(255), i32(k * 4)))
        })
        const kept = Array.from({ length: k }, (_, n) =>
          code.let('v128', 'kept', at('v128.load', keptAt + 16 * n, state)),
        )
        const sum = code.local('v128', 'sum')
        code.emit(set(sum, vector.splatIndex(i32(0))))
        each(get(nearEnd), (value, index) => {
          // A true comparison gives -1.
          const lesser = kept.map((term) => vector.op('lt', term, value))
          const last = vector.splatIndex(i32(-k))
          const counts = vector.op('lt', value, endless)
          const rank = code.let('v128', 'rank', op('v128.bitselect', lesser.reduce(add), last, counts))
          code.emit(set(sum, add(get(sum), rank)))
          for (const lane of lanes) {
            const place = laned('i32x4.extract_lane', [(lane * vector.bytes) / 4], rank)
            code.emit(at('i32.store', parts.indices(lane), op('i32.sub', state, times(place, 4)), index))
          }
        })
        // If all kept terms have different ranks, every other term has the rank k. The sum of all ranks shows it.
        const count = op('i32.shr_u', get(nearEnd), i32(2))
        const before = kept.map((term, n) =>
          op('v128.and', vector.op('lt', term, endless), vector.splatIndex(i32(k - n))),
        )
        const expected = add(vector.splatIndex(times(count, -k)), before.reduce(add))
        const differs = op('v128.xor', get(sum), expected)
        code.emit(set(ranked, op('i32.eqz', op('v128.any_true', differs))))
      })
      code.if(op('i32.eqz', get(ranked)), () => {
        code.if(op('i32.eqz', inserted), () => {
          code.emit(at('i32.store', insertedAt, state, i32(1)))
          for (const lane of lanes)
            code.for('n', i32(0), i32(k), 1, (n) =>
              code.emit(
                at(`${scalar}.store`, parts.list(lane), plus(state, times(n, vector.bytes)), infinity),
                at('i32.store', parts.indices(lane), plus(state, times(n, 4)), i32(-1)),
              ),
            )
        })
        each(get(nearEnd), (value, index) => {
          for (const lane of lanes) {
            const term = code.let(scalar, 'term', laned(`${vector.type}.extract_lane`, [lane], value))
            code.if(op(`${scalar}.lt`, term, infinity), () =>
              code.emit(call(insertion(writer, k, 'any'), plus(state, parts.list(lane)), term, index)),
            )
          }
        })
      })
    }),
  )
}
