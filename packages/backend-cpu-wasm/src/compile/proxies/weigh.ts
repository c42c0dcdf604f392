/**
 * The phase `weigh`: puts the weights of sources in the order of places, and adds up their sizes.
 *
 * @module
 */

import { partBytes, partNumbers, weighPoints } from '../../design/proxy-layout.ts'
import type { ModuleWriter } from '../expressions/module-writer.ts'
import { at, get, i32, op, plus, set, times } from '../wasm/nodes.ts'
import { f64, loadNumber, storeNumber, sum } from './float64.ts'

/** @param weights the attributes that proxies add up */
export function defineWeigh(writer: ModuleWriter, weights: readonly string[]): void {
  const { vector } = writer
  writer.phase('weigh', (code, { block, first, last }) => {
    const slot = (name: string) => writer.slot(code, block, name)
    const [order, count, ordered, parts] = [
      slot('sourceOrder'),
      slot('sourceCount'),
      slot('weights'),
      slot('weightParts'),
    ]
    const each = weights.map((name) => ({
      from: slot(`source.${name}`),
      size: code.local('f64', 'size'),
      signs: code.local('i32', 'signs'),
    }))
    code.for('unit', first, last, 1, (unit) => {
      for (const { size, signs } of each) code.emit(set(size, f64(0)), set(signs, i32(0)))
      const start = code.let('i32', 'from', times(unit, weighPoints))
      const all = plus(start, weighPoints)
      code.for('place', start, op('select', all, count, op('i32.lt_u', all, count)), 1, (place) => {
        const point = code.let('i32', 'point', at('i32.load', 0, plus(order, times(place, 4))))
        const to = code.let('i32', 'to', plus(ordered, times(place, vector.bytes * weights.length)))
        for (const [w, { from, size, signs }] of each.entries()) {
          const weight = code.let('f64', 'weight', loadNumber(vector, 0, plus(from, times(point, vector.bytes))))
          const positive = op('f64.gt', weight, f64(0))
          const negative = op('i32.shl', op('f64.lt', weight, f64(0)), i32(1))
          code.emit(
            storeNumber(vector, w * vector.bytes, to, weight),
            set(size, sum(get(size), op('f64.abs', weight))),
            set(signs, op('i32.or', get(signs), op('i32.or', positive, negative))),
          )
        }
      })
      for (const [w, { size, signs }] of each.entries()) {
        const part = code.let('i32', 'part', plus(parts, times(unit, partBytes * weights.length)))
        code.emit(at('f64.store', w * partBytes + partNumbers.size, part, get(size)))
        code.emit(at('i32.store', w * partBytes + partNumbers.signs, part, get(signs)))
      }
    })
  })
}
