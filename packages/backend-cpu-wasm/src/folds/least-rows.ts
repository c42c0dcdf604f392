/**
 * The fold of `nearest` by blocks for few neighbours, which are kept in registers of terms and of indices, sorted in every lane.
 *
 * A tile writes its terms and indices to rows in memory, except where a source is too far for every lane. A network then merges
 * the rows with what is kept. No branch depends on a term: which sources are near cannot be predicted.
 *
 * The bound keeps the least terms of all that targets meet, without their indices, and writes every term. It is cheaper, so a
 * target first meets sources with the bound, and then merges only those that it keeps.
 *
 * @module
 */
import type { ModuleWriter } from '../expressions/module-writer.ts'
import { element } from '../wasm/elements.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, type Callable, call, get, i32, laneAt, type Node, op, plus, set, times } from '../wasm/nodes.ts'
import type { Fold, FoldOf, TileFold } from './fold.ts'
import { keptItems, mergedAtOnce, mergeLeast } from './merge-network.ts'

/** The most neighbours that are kept in rows: a longer list is mostly in order where a term is inserted. */
export const mostInRows = 32
/** The most sources of a tile of the bound. */
export const boundTerms = 32
/** Bytes of a row of terms, and of one of terms and indices. */
const [termBytes, rowBytes] = [16, 32]
/** Where rows begin in the state, after the k-th terms. */
const keptAt = 16

export const leastInRows =
  (k: number): FoldOf =>
  (writer): Fold => {
    const { vector } = writer
    const count = keptItems(k)
    const rows = Array.from({ length: count }, (_, n) => keptAt + n * rowBytes)
    const boundAt = keptAt + count * rowBytes
    const shared = { additive: false, stateBytes: boundAt + count * termBytes }
    return {
      ...shared,
      results: [
        { name: 'index', entries: k, type: 'i32', empty: -1 },
        { name: 'distance', entries: k, type: 'number', empty: Number.POSITIVE_INFINITY },
      ],
      tileBytes: (writer.tile + mergedAtOnce) * rowBytes,
      bound: {
        ...shared,
        results: [],
        tileBytes: boundTerms * termBytes,
        start() {},
        tile: (code, state, scratch) => tileOf(writer, k, code, { state, scratch, keptAt: boundAt, bytes: termBytes }),
        finish() {},
      },
      start(code, { state }) {
        const infinity = vector.constant(code, Number.POSITIVE_INFINITY)
        for (let n = 0; n < count; n++)
          code.emit(
            at('v128.store', keptAt + n * rowBytes, state, infinity),
            at('v128.store', keptAt + n * rowBytes + termBytes, state, vector.always(code)),
            at('v128.store', boundAt + n * termBytes, state, infinity),
          )
        code.emit(at('v128.store', 0, state, infinity))
      },
      tile: (code, state, scratch) => tileOf(writer, k, code, { state, scratch, keptAt, bytes: rowBytes }),
      finish(code, { state, target, remaining, result }) {
        const found = rows.slice(0, k).map((row) => ({
          distance: code.let('v128', 'distance', vector.unary('sqrt', at('v128.load', row, state))),
          index: code.let('v128', 'index', at('v128.load', row + termBytes, state)),
        }))
        for (let lane = 0; lane < vector.lanes; lane++)
          code.if(op('i32.gt_s', remaining, i32(lane)), () => {
            const row = code.let('i32', 'row', plus(target, lane))
            const distances = code.let('i32', 'distances', element(code, result('distance'), row, k * vector.bytes))
            const indices = code.let('i32', 'indices', element(code, result('index'), row, k * 4))
            for (const [n, { distance, index }] of found.entries())
              code.emit(
                vector.storeLane(lane, n * vector.bytes, distances, distance),
                laneAt('v128.store32_lane', n * 4, (lane * vector.bytes) / 4, indices, index),
              )
          })
      },
    }
  }

/** The part within a tile: rows of that many bytes are merged with those that begin at `keptAt` in the state. */
function tileOf(
  writer: ModuleWriter,
  k: number,
  code: FunctionBuilder,
  of: { readonly state: Node; readonly scratch: Node; readonly keptAt: number; readonly bytes: number },
): TileFold {
  const { vector } = writer
  const { state, keptAt, bytes } = of
  const infinity = vector.constant(code, Number.POSITIVE_INFINITY)
  const worst = code.let('v128', 'worst', at('v128.load', 0, state))
  const [rows, next] = [code.let('i32', 'rows', of.scratch), code.local('i32', 'nextRow')]
  code.emit(set(next, rows))
  const indexed = bytes === rowBytes
  const write = (row: Node, value: Node, index: Node) =>
    code.emit(at('v128.store', 0, row, value), ...(indexed ? [at('v128.store', termBytes, row, index)] : []))
  return {
    add({ terms: [term], condition, index }) {
      if (term === undefined) return
      const counted = condition ? op('v128.bitselect', term, infinity, condition) : term
      // A term that is not a number is not less, so it becomes infinite.
      const value = code.let('v128', 'value', vector.op('pmin', infinity, counted))
      const near = op('v128.any_true', vector.op('le', value, worst))
      write(get(next), value, vector.splatIndex(index))
      code.emit(set(next, plus(get(next), indexed ? times(near, bytes) : bytes)))
    },
    end() {
      const group = mergedAtOnce * bytes
      const met = op('i32.sub', get(next), rows)
      const end = code.let('i32', 'end', plus(rows, op('i32.and', plus(met, group - 1), i32(-group))))
      code.for('rest', get(next), end, bytes, (rest) => write(rest, infinity, vector.always(code)))
      code.emit(call(mergeRows(writer, keptItems(k), bytes), rows, end, plus(state, keptAt)))
      const last = at('v128.load', keptAt + (k - 1) * bytes, state)
      code.emit(at('v128.store', 0, state, vector.op('pmin', worst, last)))
    },
  }
}

/** A function of `rows, end, kept` that keeps the least of rows, by their terms and then by their indices if they have any. */
function mergeRows({ module, vector }: ModuleWriter, count: number, bytes: number): Callable {
  type Item = readonly [value: Node, index?: Node]
  const name = bytes === rowBytes ? 'mergeRows' : 'mergeTerms'
  return module.once(name, () =>
    module.define(name, { rows: 'i32', end: 'i32', kept: 'i32' }, undefined, (code, { rows, end, kept }) => {
      const named = (value: Node) => code.let('v128', 'item', value)
      const exchange = ([a, i]: Item, [b, j]: Item): readonly [Item, Item] => {
        const [less, more] = [named(vector.op('pmin', a, b)), named(vector.op('pmax', a, b))]
        if (!i || !j) return [[less], [more]]
        const tie = op('v128.and', vector.op('eq', a, b), op(`${vector.integers}.lt_s`, j, i))
        const swaps = op('v128.or', vector.op('lt', b, a), tie)
        const moved = named(op('v128.and', op('v128.xor', i, j), swaps))
        const swapped = (index: Node) => named(op('v128.xor', index, moved))
        return [
          [less, swapped(i)],
          [more, swapped(j)],
        ]
      }
      const offsets = bytes === rowBytes ? [0, termBytes] : [0]
      const items = (from: Node, count: number) =>
        Array.from(
          { length: count },
          (_, n) => offsets.map((offset) => named(at('v128.load', n * bytes + offset, from))) as unknown as Item,
        )
      code.for('group', rows, end, mergedAtOnce * bytes, (group) => {
        for (const [n, item] of mergeLeast(items(kept, count), items(group, mergedAtOnce), exchange).entries())
          for (const [o, part] of item.entries())
            code.emit(at('v128.store', n * bytes + (offsets[o] ?? 0), kept, part as Node))
      })
    }),
  )
}
