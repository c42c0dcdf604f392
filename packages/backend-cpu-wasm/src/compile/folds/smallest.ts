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
import { element } from '../wasm/elements.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, type Callable, call, get, i32, i64, laned, type Node, op, plus, set, times } from '../wasm/nodes.ts'
import { type Fold, type FoldOf, greatest, type SourceOrder } from './fold.ts'

export const smallest =
  (k: number, order: SourceOrder, kept: 'distance' | 'value'): FoldOf =>
  (writer): Fold => {
    const { vector } = writer
    const rooted = kept === 'distance'
    const scalar = vector.bytes === 4 ? 'f32' : 'f64'
    const listBytes = Math.ceil((k * (vector.bytes + 4)) / 8) * 8
    const indicesAt = k * vector.bytes
    const list = (lane: number) => 16 + lane * listBytes
    const stateBytes = Math.ceil(list(vector.lanes) / 16) * 16
    return {
      additive: false,
      results: [
        { name: 'index', entries: k, type: 'i32', empty: -1 },
        { name: kept, entries: k, type: 'number', empty: Number.POSITIVE_INFINITY },
      ],
      stateBytes,
      tileBytes: 0,
      start(code, { state, target, remaining, result, merge }) {
        const infinity: Node = { kind: 'constant', type: scalar, value: Number.POSITIVE_INFINITY }
        code.emit(at('v128.store', 0, state, vector.constant(code, Number.POSITIVE_INFINITY)))
        for (let lane = 0; lane < vector.lanes; lane++) {
          const start = code.let('i32', 'list', plus(state, list(lane)))
          code.for('n', i32(0), i32(k), 1, (n) => {
            code.emit(at(`${scalar}.store`, 0, plus(start, times(n, vector.bytes)), infinity))
            code.emit(at('i32.store', indicesAt, plus(start, times(n, 4)), i32(-1)))
          })
          code.if(op('i32.and', op('i32.ne', merge, i32(0)), op('i32.gt_s', remaining, i32(lane))), () => {
            const row = code.let('i32', 'row', times(plus(target, lane), k))
            code.for('n', i32(0), i32(k), 1, (n) => {
              const entry = code.let('i32', 'entry', plus(row, n))
              const distance = at(`${scalar}.load`, 0, plus(result(kept), times(entry, vector.bytes)))
              const value = code.let(scalar, 'distance', distance)
              const squared = code.let('i32', 'squared', plus(start, times(n, vector.bytes)))
              code.emit(at(`${scalar}.store`, 0, squared, rooted ? op(`${scalar}.mul`, value, value) : value))
              if (rooted) leastWithRoot(code, scalar, squared, value)
              const index = at('i32.load', 0, plus(result('index'), times(entry, 4)))
              code.emit(at('i32.store', indicesAt, plus(start, times(n, 4)), index))
            })
            const worst = at(`${scalar}.load`, (k - 1) * vector.bytes, start)
            code.emit(at(`${scalar}.store`, lane * vector.bytes, state, worst))
          })
        }
      },
      lastIndex: (code, state) =>
        greatest(
          code,
          Array.from({ length: vector.lanes }, (_, lane) =>
            at('i32.load', list(lane) + indicesAt + (k - 1) * 4, state),
          ),
        ),
      tile(code, state) {
        const worst = code.local('v128', 'worst')
        code.emit(set(worst, at('v128.load', 0, state)))
        return {
          add({ terms: [term], condition, index }) {
            if (term === undefined) return
            const value = code.let('v128', 'term', term)
            const ahead = vector.op(order === 'any' ? 'le' : 'lt', value, get(worst))
            const counts = condition ? op('v128.and', ahead, condition) : ahead
            const lanes = code.let('i32', 'lanes', op(`${vector.integers}.bitmask`, counts))
            const inserted = (entries: Node, number: Node) =>
              code.emit(call(insertion(writer, k, order), entries, number, index))
            code.if(lanes, () => {
              for (let lane = 0; lane < vector.lanes; lane++)
                code.if(op('i32.and', lanes, i32(1 << lane)), () => {
                  inserted(plus(state, list(lane)), laned(`${vector.type}.extract_lane`, [lane], value))
                  const last = at(`${scalar}.load`, list(lane) + (k - 1) * vector.bytes, state)
                  code.emit(
                    set(
                      worst,
                      vector.op('pmin', get(worst), laned(`${vector.type}.replace_lane`, [lane], get(worst), last)),
                    ),
                  )
                })
            })
          },
          end() {
            code.emit(at('v128.store', 0, state, get(worst)))
          },
        }
      },
      finish(code, { state, target, remaining, result }) {
        for (let lane = 0; lane < vector.lanes; lane++)
          code.if(op('i32.gt_s', remaining, i32(lane)), () => {
            const row = code.let('i32', 'row', plus(target, lane))
            const start = code.let('i32', 'list', plus(state, list(lane)))
            const distance = element(code, result(kept), row, k * vector.bytes)
            const index = element(code, result('index'), row, k * 4)
            code.for('n', i32(0), i32(k), 1, (n) => {
              const squared = at(`${scalar}.load`, 0, plus(start, times(n, vector.bytes)))
              const number = rooted ? op(`${scalar}.sqrt`, squared) : squared
              code.emit(at(`${scalar}.store`, 0, plus(distance, times(n, vector.bytes)), number))
              const source = at('i32.load', indicesAt, plus(start, times(n, 4)))
              code.emit(at('i32.store', 0, plus(index, times(n, 4)), source))
            })
          })
      },
    }
  }

/** Two numbers can have the same rounded root, and the rounded square is at most one place beside them. */
const places = 2

/**
 * Lowers the square of a distance in memory to the least number with the same root. A later source at the same distance is then
 * not nearer, so ties keep the order of their sources.
 */
function leastWithRoot(code: FunctionBuilder, scalar: 'f32' | 'f64', address: Node, root: Node): void {
  const integer = scalar === 'f32' ? 'i32' : 'i64'
  const one: Node = scalar === 'f32' ? i32(1) : i64(1n)
  code.for('place', i32(0), i32(places), 1, () => {
    const bits = code.let(integer, 'bits', at(`${integer}.load`, 0, address))
    code.emit(at(`${integer}.store`, 0, address, op(`${integer}.sub`, bits, one)))
    code.if(op(`${scalar}.ne`, op(`${scalar}.sqrt`, at(`${scalar}.load`, 0, address)), root), () =>
      code.emit(at(`${integer}.store`, 0, address, bits)),
    )
  })
}

/**
 * `insert(list, term, index)` moves worse entries back by one and drops the last. Equal terms keep the order of their
 * sources. If sources come in any order, the term may be worse than the last; then it is not inserted.
 */
export function insertion(writer: ModuleWriter, k: number, order: SourceOrder): Callable {
  const { module, vector } = writer
  const scalar = vector.bytes === 4 ? 'f32' : 'f64'
  return module.once('insert', () =>
    module.define('insert', { list: 'i32', term: scalar, index: 'i32' }, undefined, (code, { list, term, index }) => {
      const place = code.local('i32', 'place')
      const values = () => plus(list, times(get(place), vector.bytes))
      const indices = () => plus(list, times(get(place), 4))
      const before = () => op('i32.sub', get(place), i32(1))
      const worse = () => {
        const entry = at(`${scalar}.load`, 0, plus(list, times(before(), vector.bytes)))
        const greater = op(`${scalar}.gt`, entry, term)
        if (order === 'ascending') return greater
        const later = op('i32.gt_s', at('i32.load', k * vector.bytes, plus(list, times(before(), 4))), index)
        return op('i32.or', greater, op('i32.and', op(`${scalar}.eq`, entry, term), later))
      }
      const moving = code.local('i32', 'moving')
      const test = () => {
        code.emit(set(moving, i32(0)))
        code.if(get(place), () => code.emit(set(moving, worse())))
      }
      const write = () => {
        code.emit(set(place, i32(k - 1)))
        test()
        code.if(get(moving), () =>
          code.repeat(() => {
            code.emit(
              at(`${scalar}.store`, 0, values(), at(`${scalar}.load`, 0, plus(list, times(before(), vector.bytes)))),
            )
            code.emit(
              at(
                'i32.store',
                k * vector.bytes,
                indices(),
                at('i32.load', k * vector.bytes, plus(list, times(before(), 4))),
              ),
            )
            code.emit(set(place, before()))
            test()
            return get(moving)
          }),
        )
        code.emit(at(`${scalar}.store`, 0, values(), term), at('i32.store', k * vector.bytes, indices(), index))
      }
      if (order === 'ascending') write()
      else {
        code.emit(set(place, i32(k)))
        code.if(worse(), write)
      }
    }),
  )
}
