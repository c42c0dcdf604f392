/**
 * The fold of a sum: in the precision of the device within a tile, in float64 across tiles.
 *
 * @module
 */
import { element, loadElements, storeElements, strided } from '../wasm/elements.ts'
import { at, get, op, set } from '../wasm/nodes.ts'
import type { Fold, FoldOf } from './fold.ts'

export const sum =
  (name: string): FoldOf =>
  (writer, components): Fold => {
    const { v } = writer
    const wide = v.halves
    const parts = Array.from({ length: components }, (_, c) =>
      Array.from({ length: wide }, (_, h) => (c * wide + h) * 16),
    )
    return {
      additive: true,
      results: [{ name, entries: components, type: 'number', empty: 0 }],
      stateBytes: components * wide * 16,
      tileBytes: writer.wide ? components * 16 : 0,
      start(f, { state }) {
        for (const offset of parts.flat()) f.emit(at('v128.store', offset, state, f.constant('f64x2', 0)))
      },
      tile(f, state) {
        const totals = parts.map(() => f.local('v128', 'total'))
        for (const total of totals) f.emit(set(total, v.constant(f, 0)))
        return {
          totals,
          add({ terms }) {
            for (const [c, total] of totals.entries()) {
              const term = terms[c]
              if (term) f.emit(set(total, writer.sum(get(total), term)))
            }
          },
          end(stored) {
            for (const [c, total] of totals.entries())
              for (const [h, part] of v.widened(f, stored?.(c) ?? get(total)).entries()) {
                const offset = parts[c]?.[h] ?? 0
                f.emit(at('v128.store', offset, state, op('f64x2.add', at('v128.load', offset, state), part)))
              }
          },
        }
      },
      finish(f, { state, target, remaining, result, merge }, scale) {
        const to = element(f, result(name), target, components * v.bytes)
        const stores = parts.map((offsets, c) => {
          const place = { address: to, stride: components, offset: c * v.bytes }
          const total = v.narrowed(offsets.map((offset) => at('v128.load', offset, state)))
          const value = f.local('v128', name)
          f.emit(set(value, scale ? v.op('mul', total, scale) : total))
          f.if(merge, () => f.emit(set(value, v.op('add', get(value), loadElements(f, v, place)))))
          return strided(f, v, place, get(value))
        })
        storeElements(f, v, remaining, stores)
      },
    }
  }
