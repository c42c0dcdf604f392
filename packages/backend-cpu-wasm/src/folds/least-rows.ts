/**
 * The fold of `nearest` by blocks for few neighbours, whose terms are kept in registers, sorted in every lane.
 *
 * A block of targets holds the sources that it meets. A tile writes their terms to rows in memory, one register each, and a
 * network merges these with the least so far. No branch depends on a term: which sources are near cannot be predicted.
 *
 * When all are known, a source in a row that is near has the place in the list of its target that the number of lesser terms
 * says. If terms are equal, fewer than k count, or not all rows are held any more, sources are inserted instead.
 *
 * @module
 */
import { blockPoints } from '@manybody/core/backend'
import type { ModuleWriter } from '../expressions/module-writer.ts'
import { element } from '../wasm/elements.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, type Callable, call, get, i32, laned, type Node, op, plus, set, times } from '../wasm/nodes.ts'
import type { Fold, FoldOf, TileFold } from './fold.ts'
import { keptItems, mergedAtOnce, mergeLeast } from './merge-network.ts'
import { insertion } from './smallest.ts'

/** The most neighbours that are kept in rows. The network of more takes longer to compile than insertions take to run. */
export const mostInRows = 256
/** Where rows begin in the state, after the k-th terms and whether sources were inserted. */
const keptAt = 32
const insertedAt = 16

/** Where the terms and the indices of a lane are in the state. A list has one more place, for what is not kept. */
const listsOf = (k: number, bytes: number) => {
  const listBytes = Math.ceil((k * (bytes + 4) + 4) / 8) * 8
  const list = (lane: number) => keptAt + keptItems(k) * 16 + lane * listBytes
  return { list, indices: (lane: number) => list(lane) + k * bytes, end: list(16 / bytes) }
}

export const leastInRows =
  (k: number): FoldOf =>
  (writer): Fold => {
    const { vector } = writer
    const lists = listsOf(k, vector.bytes)
    const rows = Array.from({ length: keptItems(k) }, (_, n) => keptAt + 16 * n)
    return {
      additive: false,
      stateBytes: Math.ceil(lists.end / 16) * 16,
      results: [
        { name: 'index', entries: k, type: 'i32', empty: -1 },
        { name: 'distance', entries: k, type: 'number', empty: Number.POSITIVE_INFINITY },
      ],
      // The registers of a block have their rows side by side.
      tileBytes: 16,
      held: {
        most: 256 + 8 * k,
        keep: (code, ...values) => code.emit(call(defineKeep(writer, k), ...values)),
      },
      start(code, { state }) {
        const infinity = vector.constant(code, Number.POSITIVE_INFINITY)
        for (const row of [0, ...rows]) code.emit(at('v128.store', row, state, infinity))
        code.emit(at('i32.store', insertedAt, state, i32(0)))
      },
      tile: (code, state, scratch) => tileOf(writer, k, code, { state, scratch }),
      finish(code, { state, target, remaining, result }) {
        const found = rows
          .slice(0, k)
          .map((row) => code.let('v128', 'distance', vector.unary('sqrt', at('v128.load', row, state))))
        for (let lane = 0; lane < vector.lanes; lane++)
          code.if(op('i32.gt_s', remaining, i32(lane)), () => {
            const row = code.let('i32', 'row', plus(target, lane))
            const distances = code.let('i32', 'distances', element(code, result('distance'), row, k * vector.bytes))
            for (const [n, distance] of found.entries())
              code.emit(vector.storeLane(lane, n * vector.bytes, distances, distance))
            const to = element(code, result('index'), row, k * 4)
            code.emit(op('memory.copy', to, plus(state, lists.indices(lane)), i32(k * 4)))
          })
      },
    }
  }

/** Bytes of the rows of all registers of a block for one source. */
export const rowsBytes = ({ vector }: ModuleWriter): number => (blockPoints / vector.lanes) * 16

function tileOf(
  writer: ModuleWriter,
  k: number,
  code: FunctionBuilder,
  { state, scratch }: { readonly state: Node; readonly scratch: Node },
): TileFold {
  const { vector } = writer
  const bytes = rowsBytes(writer)
  const infinity = vector.constant(code, Number.POSITIVE_INFINITY)
  const [rows, next] = [code.let('i32', 'rows', scratch), code.local('i32', 'nextRow')]
  code.emit(set(next, rows))
  return {
    add({ terms: [term], condition }) {
      if (term === undefined) return
      const counted = condition ? op('v128.bitselect', term, infinity, condition) : term
      // A term that is not a number is not less, so it becomes infinite.
      code.emit(at('v128.store', 0, get(next), vector.op('pmin', infinity, counted)), set(next, plus(get(next), bytes)))
    },
    end() {
      const group = mergedAtOnce * bytes
      const met = op('i32.sub', get(next), rows)
      const end = code.let('i32', 'end', plus(rows, op('i32.and', plus(met, group - 1), i32(-group))))
      code.for('rest', get(next), end, bytes, (rest) => code.emit(at('v128.store', 0, rest, infinity)))
      code.emit(call(mergeRows(writer, keptItems(k)), rows, end, plus(state, keptAt)))
      code.emit(at('v128.store', 0, state, at('v128.load', keptAt + (k - 1) * 16, state)))
    },
  }
}

/** A function of `rows, end, kept` that keeps the least terms of rows. */
function mergeRows(writer: ModuleWriter, count: number): Callable {
  const { module, vector } = writer
  return module.once('mergeRows', () =>
    module.define('mergeRows', { rows: 'i32', end: 'i32', kept: 'i32' }, undefined, (code, { rows, end, kept }) => {
      const named = (value: Node) => code.let('v128', 'item', value)
      const exchange = (a: Node, b: Node) => [named(vector.op('pmin', a, b)), named(vector.op('pmax', a, b))] as const
      const items = (from: Node, count: number, bytes: number) =>
        Array.from({ length: count }, (_, n) => named(at('v128.load', n * bytes, from)))
      const bytes = rowsBytes(writer)
      code.for('group', rows, end, mergedAtOnce * bytes, (group) => {
        const least = mergeLeast(items(kept, count, 16), items(group, mergedAtOnce, bytes), exchange)
        for (const [n, item] of least.entries()) code.emit(at('v128.store', n * 16, kept, item))
      })
    }),
  )
}

/**
 * The function that keeps those of the sources in a list that are near a register of targets. `whole` says whether these are all
 * that the targets meet.
 */
function defineKeep(writer: ModuleWriter, k: number): Callable {
  const { module, vector } = writer
  const parameters = {
    state: 'i32',
    rows: 'i32',
    list: 'i32',
    end: 'i32',
    order: 'i32',
    whole: 'i32',
    near: 'i32',
  } as const
  const lists = listsOf(k, vector.bytes)
  const bytes = rowsBytes(writer)
  const lanes = Array.from({ length: vector.lanes }, (_, lane) => lane)
  const scalar = vector.bytes === 4 ? 'f32' : 'f64'
  /** The largest number that is finite. */
  const largest = vector.bytes === 4 ? (2 - 2 ** -23) * 2 ** 127 : Number.MAX_VALUE
  const infinity: Node = { kind: 'constant', type: scalar, value: Number.POSITIVE_INFINITY }
  const add = (a: Node, b: Node) => op(`${vector.integers}.add`, a, b)
  return module.once('keep', () =>
    module.define('keep', parameters, undefined, (code, { state, rows, list, end, order, whole, near }) => {
      const worst = code.let('v128', 'worst', at('v128.load', 0, state))
      const endless = vector.constant(code, Number.POSITIVE_INFINITY)
      const bound = code.let('v128', 'bound', vector.op('pmin', worst, vector.constant(code, largest)))
      const [nearEnd, row] = [code.local('i32', 'nearEnd'), code.local('i32', 'row')]
      code.emit(set(nearEnd, near), set(row, rows))
      code.for('entry', list, end, 4, (entry) => {
        const counts = vector.op('le', at('v128.load', 0, get(row)), bound)
        code.emit(at('i32.store', 0, get(nearEnd), entry))
        code.emit(
          set(nearEnd, plus(get(nearEnd), times(op('v128.any_true', counts), 4))),
          set(row, plus(get(row), bytes)),
        )
      })
      /** Visits the terms of each source that is near, and its index. */
      const each = (visit: (value: Node, index: Node) => void) =>
        code.for('found', near, get(nearEnd), 4, (found) => {
          const entry = code.let('i32', 'entry', at('i32.load', 0, found))
          const at4 = times(op('i32.sub', entry, list), bytes / 4)
          const value = code.let('v128', 'value', at('v128.load', 0, plus(rows, at4)))
          const place = at('i32.load', 0, entry)
          visit(value, code.let('i32', 'index', at('i32.load', 0, plus(order, times(place, 4)))))
        })
      const ranked = code.local('i32', 'ranked')
      const inserted = at('i32.load', insertedAt, state)
      code.emit(set(ranked, op('i32.and', whole, op('i32.eqz', inserted))))
      code.if(get(ranked), () => {
        // A target may have fewer than k neighbours.
        code.if(op('v128.any_true', vector.op('eq', worst, endless)), () => {
          for (const lane of lanes) code.emit(op('memory.fill', plus(state, lists.indices(lane)), i32(255), i32(k * 4)))
        })
        const kept = Array.from({ length: k }, (_, n) =>
          code.let('v128', 'kept', at('v128.load', keptAt + 16 * n, state)),
        )
        const sum = code.local('v128', 'sum')
        code.emit(set(sum, vector.splatIndex(i32(0))))
        each((value, index) => {
          // A comparison that is true is -1.
          const lesser = kept.map((term) => vector.op('lt', term, value))
          const last = vector.splatIndex(i32(-k))
          const counts = vector.op('lt', value, endless)
          const rank = code.let('v128', 'rank', op('v128.bitselect', lesser.reduce(add), last, counts))
          code.emit(set(sum, add(get(sum), rank)))
          for (const lane of lanes) {
            const place = laned('i32x4.extract_lane', [(lane * vector.bytes) / 4], rank)
            code.emit(at('i32.store', lists.indices(lane), op('i32.sub', state, times(place, 4)), index))
          }
        })
        // If all that are kept have different ranks, all others have the rank k.
        const count = op('i32.shr_u', op('i32.sub', get(nearEnd), near), i32(2))
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
                at(`${scalar}.store`, lists.list(lane), plus(state, times(n, vector.bytes)), infinity),
                at('i32.store', lists.indices(lane), plus(state, times(n, 4)), i32(-1)),
              ),
            )
        })
        each((value, index) => {
          for (const lane of lanes) {
            const term = code.let(scalar, 'term', laned(`${vector.type}.extract_lane`, [lane], value))
            code.if(op(`${scalar}.lt`, term, infinity), () =>
              code.emit(call(insertion(writer, k, 'any'), plus(state, lists.list(lane)), term, index)),
            )
          }
        })
      })
    }),
  )
}
