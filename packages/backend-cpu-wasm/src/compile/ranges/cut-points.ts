/**
 * The function that cuts records in two, as `orderPoints` of `@manybody/core/backend` does: at the middle of the longest side
 * of the box around them, and then at the nearest whole block. Equal points are halved. The coordinates and numbers of records alone decide which part
 * they go to, not their order before.
 *
 * @module
 */
import { blockPoints, leastShare, nodeBytes, nodeLinks } from '@manybody/core/backend'
import type { CoordinateBytes } from '../../design/design.ts'
import { numberAt, recordBytes } from '../../design/order-layout.ts'
import { define } from '../language/kernel.ts'
import type { ModuleBuilder } from '../wasm/module-builder.ts'
import type { Callable } from '../wasm/nodes.ts'
import { longestSide } from './longest-side.ts'
import { coordinateType, swapRecords } from './order-records.ts'

/** The function that cuts places in two, and links their node. It returns the first place of the second part. */
export function defineHalve(module: ModuleBuilder, dimension: number, bytes: CoordinateBytes): Callable {
  const select = defineSelect(module, bytes)
  const size = recordBytes(bytes)
  const blockBytes = blockPoints * size
  return define(module)`
    scalar coordinate = ${coordinateType(bytes)}
    fn halve(first, last, node, records, nodes) -> i32 {
      let count = last - first
      let blocks = (count + ${blockPoints - 1}) / ${blockPoints}
      let link = nodes + node * ${nodeBytes}
      i32[link + ${nodeLinks.first}] = first
      i32[link + ${nodeLinks.last}] = last
      i32[link + ${nodeLinks.skip}] = node + (blocks * 2 - 1)
      let from = records + first * ${size}
      let end = records + last * ${size}
      var middle: f64
      var length: f64
      var offset: i32
      ${longestSide(dimension, bytes)}(from, end, count, middle, length, offset)

      // No branch depends on a coordinate, because no processor can predict the side of a record.
      var below = from
      for record in from..end step ${size} {
        let before = f64(coordinate[record + offset]) < middle
        ${swapRecords(bytes)}(below, record)
        below += before * ${size}
      }

      let share = blocks / ${1 / leastShare}
      let fewest = share != 0 ? share : 1
      let nearest = length > 0 ? (below - from + ${blockBytes / 2}) / ${blockBytes} : blocks / 2
      let left = max(fewest, min(blocks - fewest, nearest))
      let cut = from + left * ${blockBytes}
      if cut != below {
        let isAfter = cut > below
        ${select}(isAfter ? below : from, isAfter ? end : below, cut, offset)
      }
      return first + left * ${blockPoints}
    }`
}

/**
 * The function that orders records so that none before `place` belongs after one behind it, by Hoare's selection. Numbers
 * decide between equal coordinates.
 */
function defineSelect(module: ModuleBuilder, bytes: CoordinateBytes): Callable {
  const size = recordBytes(bytes)
  const number = numberAt(bytes)
  const swap = swapRecords(bytes)
  return define(module)`
    scalar coordinate = ${coordinateType(bytes)}
    fn selectPlace(var low, var end, place, offset) {
      do {
        let middle = low + (end - low) / ${2 * size} * ${size}
        ${swap}(low, middle)
        let pivot = f64(coordinate[low + offset])
        let pivotNumber = i32[low + ${number}]
        var after = low + ${size}
        for record in low + ${size}..end step ${size} {
          let x = f64(coordinate[record + offset])
          let before = x < pivot || (x == pivot && i32[record + ${number}] < pivotNumber)
          ${swap}(after, record)
          after += before * ${size}
        }
        let found = after - ${size}
        ${swap}(low, found)
        if found < place { low = after } else { end = found }
      } while found != place
    }`
}
