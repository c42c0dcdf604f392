/**
 * The fold of `nearest`: the k least terms of each target with their sources, as lists sorted by insertion.
 *
 * The loop compares a register of terms with the worst term of each list, and calls a function to insert those that
 * are better. The state is a register of worst terms, then for each lane k terms and k indices; up to 32 of them fill whole
 * registers, if sources come in any order.
 *
 * @module
 */

import type { ModuleWriter } from '../expressions/module-writer.ts'
import { element } from '../wasm/elements.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import {
  at,
  type Callable,
  call,
  get,
  i32,
  i64,
  type Local,
  laned,
  type Node,
  op,
  plus,
  set,
  times,
} from '../wasm/nodes.ts'
import type { Fold, FoldOf, SourceOrder } from './fold.ts'
import { defineInsertAtOnce, halfBytes } from './insert-at-once.ts'
import { boundsKept, kthLeast } from './kth-least.ts'

export const smallest =
  (k: number, order: SourceOrder): FoldOf =>
  (writer): Fold => {
    const { v } = writer
    const scalar = v.bytes === 4 ? 'f32' : 'f64'
    const atOnce = insertsAtOnce(writer, k, order)
    const listBytes = atOnce ? 2 * halfBytes(k, v) : Math.ceil((k * (v.bytes + 4)) / 8) * 8
    const indicesAt = atOnce ? halfBytes(k, v) : k * v.bytes
    const indexBytes = atOnce ? v.bytes : 4
    const storeIndex = (address: Node, index: Node) =>
      indexBytes === 4
        ? at('i32.store', indicesAt, address, index)
        : at('i64.store', indicesAt, address, op('i64.extend_i32_s', index))
    /** Entries of a list with those that fill its last register. */
    const held = atOnce ? halfBytes(k, v) / v.bytes : k
    const list = (lane: number) => 16 + lane * listBytes
    const stateBytes = Math.ceil(list(v.lanes) / 16) * 16
    return {
      additive: false,
      results: [
        { name: 'index', entries: k, type: 'i32', empty: -1 },
        { name: 'distance', entries: k, type: 'number', empty: Number.POSITIVE_INFINITY },
      ],
      stateBytes,
      tileBytes: 0,
      ...(order === 'any' && boundsKept(k) ? { bound: kthLeast(k, stateBytes)(writer, 1) } : {}),
      start(f, { state, target, remaining, result, merge }) {
        const infinity: Node = { kind: 'constant', type: scalar, value: Number.POSITIVE_INFINITY }
        f.emit(at('v128.store', 0, state, v.constant(f, Number.POSITIVE_INFINITY)))
        for (let lane = 0; lane < v.lanes; lane++) {
          const start = f.let('i32', 'list', plus(state, list(lane)))
          f.for('n', i32(0), i32(held), 1, (n) => {
            f.emit(at(`${scalar}.store`, 0, plus(start, times(n, v.bytes)), infinity))
            f.emit(storeIndex(plus(start, times(n, indexBytes)), i32(-1)))
          })
          f.if(op('i32.and', op('i32.ne', merge, i32(0)), op('i32.gt_s', remaining, i32(lane))), () => {
            const row = f.let('i32', 'row', times(plus(target, lane), k))
            f.for('n', i32(0), i32(k), 1, (n) => {
              const entry = f.let('i32', 'entry', plus(row, n))
              const distance = at(`${scalar}.load`, 0, plus(result('distance'), times(entry, v.bytes)))
              const value = f.let(scalar, 'distance', distance)
              const squared = f.let('i32', 'squared', plus(start, times(n, v.bytes)))
              f.emit(at(`${scalar}.store`, 0, squared, op(`${scalar}.mul`, value, value)))
              leastWithRoot(f, scalar, squared, value)
              const index = at('i32.load', 0, plus(result('index'), times(entry, 4)))
              f.emit(storeIndex(plus(start, times(n, indexBytes)), index))
            })
            const worst = at(`${scalar}.load`, (k - 1) * v.bytes, start)
            f.emit(at(`${scalar}.store`, lane * v.bytes, state, worst))
          })
        }
      },
      tile(f, state) {
        const worst = f.local('v128', 'worst')
        f.emit(set(worst, at('v128.load', 0, state)))
        const numbers = v.lanes === 4 ? laneNumbers(f) : undefined
        return {
          add({ terms: [term], condition, index }) {
            if (term === undefined) return
            const value = f.let('v128', 'term', term)
            const ahead = v.op(order === 'any' ? 'le' : 'lt', value, get(worst))
            const counts = condition ? op('v128.and', ahead, condition) : ahead
            const lanes = f.let('i32', 'lanes', op(`${v.integers}.bitmask`, counts))
            const inserted = (entries: Node, number: Node) =>
              f.emit(call(insertion(writer, k, order), entries, number, index))
            f.if(lanes, () => {
              if (numbers) return insertMarked(f, lanes, value, inserted, { state, worst, numbers, listBytes, k })
              for (let lane = 0; lane < v.lanes; lane++)
                f.if(op('i32.and', lanes, i32(1 << lane)), () => {
                  inserted(plus(state, list(lane)), laned(`${v.type}.extract_lane`, [lane], value))
                  const last = at(`${scalar}.load`, list(lane) + (k - 1) * v.bytes, state)
                  f.emit(
                    set(worst, v.op('pmin', get(worst), laned(`${v.type}.replace_lane`, [lane], get(worst), last))),
                  )
                })
            })
          },
          end() {
            f.emit(at('v128.store', 0, state, get(worst)))
          },
        }
      },
      finish(f, { state, target, remaining, result }) {
        for (let lane = 0; lane < v.lanes; lane++)
          f.if(op('i32.gt_s', remaining, i32(lane)), () => {
            const row = f.let('i32', 'row', plus(target, lane))
            const start = f.let('i32', 'list', plus(state, list(lane)))
            const distance = element(f, result('distance'), row, k * v.bytes)
            const index = element(f, result('index'), row, k * 4)
            f.for('n', i32(0), i32(k), 1, (n) => {
              const squared = at(`${scalar}.load`, 0, plus(start, times(n, v.bytes)))
              f.emit(at(`${scalar}.store`, 0, plus(distance, times(n, v.bytes)), op(`${scalar}.sqrt`, squared)))
              const source = at('i32.load', indicesAt, plus(start, times(n, indexBytes)))
              f.emit(at('i32.store', 0, plus(index, times(n, 4)), source))
            })
          })
      },
    }
  }

/** 0, 1, 2, 3. */
const laneNumbers = (f: FunctionBuilder): Node =>
  f.let(
    'v128',
    'laneNumbers',
    [1, 2, 3].reduce(
      (register, lane) => laned('f32x4.replace_lane', [lane], register, op('f32.reinterpret_i32', i32(lane))),
      f.constant('i32x4', 0),
    ),
  )

/**
 * Inserts the marked lanes of four, one after the other. Which are marked cannot be predicted, and a loop over them mispredicts
 * less often than a condition for each.
 */
function insertMarked(
  f: FunctionBuilder,
  lanes: Node,
  value: Node,
  insert: (list: Node, number: Node) => void,
  kept: {
    readonly state: Node
    readonly worst: Local
    readonly numbers: Node
    readonly listBytes: number
    readonly k: number
  },
): void {
  const { state, worst, numbers, listBytes, k } = kept
  const left = f.local('i32', 'left')
  // The state has the worst terms only between tiles.
  f.emit(set(left, lanes), at('v128.store', 0, state, value))
  f.repeat(() => {
    const lane = f.let('i32', 'lane', op('i32.ctz', get(left)))
    const list = f.let('i32', 'list', plus(state, plus(times(lane, listBytes), 16)))
    insert(list, at('f32.load', 0, plus(state, times(lane, 4))))
    const last = at('v128.load32_splat', (k - 1) * 4, list)
    const changed = op('v128.bitselect', last, get(worst), op('i32x4.eq', numbers, op('i32x4.splat', lane)))
    f.emit(set(worst, op('f32x4.pmin', get(worst), changed)))
    f.emit(set(left, op('i32.and', get(left), op('i32.sub', get(left), i32(1)))))
    return get(left)
  })
}

/** The longest list that is moved as a whole: a longer one is mostly in order where a term is inserted. */
const longest = 32

/** Whether lists are moved at once. Where sources ascend, most terms are inserted near the end, which a loop does sooner. */
const insertsAtOnce = ({ v }: ModuleWriter, k: number, order: SourceOrder): boolean =>
  order === 'any' && v.lanes > 1 && k <= longest

/** Two numbers can have the same rounded root, and the rounded square is at most one place beside them. */
const places = 2

/**
 * Lowers the square of a distance in memory to the least number whose root is that distance. A later source at the same
 * distance is then not nearer, so ties keep the order of their sources.
 */
function leastWithRoot(f: FunctionBuilder, scalar: 'f32' | 'f64', address: Node, root: Node): void {
  const integer = scalar === 'f32' ? 'i32' : 'i64'
  const one: Node = scalar === 'f32' ? i32(1) : i64(1n)
  f.for('place', i32(0), i32(places), 1, () => {
    const bits = f.let(integer, 'bits', at(`${integer}.load`, 0, address))
    f.emit(at(`${integer}.store`, 0, address, op(`${integer}.sub`, bits, one)))
    f.if(op(`${scalar}.ne`, op(`${scalar}.sqrt`, at(`${scalar}.load`, 0, address)), root), () =>
      f.emit(at(`${integer}.store`, 0, address, bits)),
    )
  })
}

/**
 * `insert(list, term, index)` moves worse entries back by one and drops the last. Equal terms keep the order of their
 * sources. If sources come in any order, the term may be worse than the last; then it is not inserted.
 */
function insertion(writer: ModuleWriter, k: number, order: SourceOrder): Callable {
  const { module, v } = writer
  const scalar = v.bytes === 4 ? 'f32' : 'f64'
  if (insertsAtOnce(writer, k, order)) return module.once('insert', () => defineInsertAtOnce(module, k, v))
  return module.once('insert', () =>
    module.define('insert', { list: 'i32', term: scalar, index: 'i32' }, undefined, (f) => {
      const [list, term, index] = [0, 1, 2].map((n) => f.parameter(n)) as [Node, Node, Node]
      const place = f.local('i32', 'place')
      const values = () => plus(list, times(get(place), v.bytes))
      const indices = () => plus(list, times(get(place), 4))
      const before = () => op('i32.sub', get(place), i32(1))
      const worse = () => {
        const entry = at(`${scalar}.load`, 0, plus(list, times(before(), v.bytes)))
        const greater = op(`${scalar}.gt`, entry, term)
        if (order === 'ascending') return greater
        const later = op('i32.gt_s', at('i32.load', k * v.bytes, plus(list, times(before(), 4))), index)
        return op('i32.or', greater, op('i32.and', op(`${scalar}.eq`, entry, term), later))
      }
      const moving = f.local('i32', 'moving')
      const test = () => {
        f.emit(set(moving, i32(0)))
        f.if(get(place), () => f.emit(set(moving, worse())))
      }
      const write = () => {
        f.emit(set(place, i32(k - 1)))
        test()
        f.if(get(moving), () =>
          f.repeat(() => {
            f.emit(at(`${scalar}.store`, 0, values(), at(`${scalar}.load`, 0, plus(list, times(before(), v.bytes)))))
            f.emit(at('i32.store', k * v.bytes, indices(), at('i32.load', k * v.bytes, plus(list, times(before(), 4)))))
            f.emit(set(place, before()))
            test()
            return get(moving)
          }),
        )
        f.emit(at(`${scalar}.store`, 0, values(), term), at('i32.store', k * v.bytes, indices(), index))
      }
      if (order === 'ascending') write()
      else {
        f.emit(set(place, i32(k)))
        f.if(worse(), write)
      }
    }),
  )
}
