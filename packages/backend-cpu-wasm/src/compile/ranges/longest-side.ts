/**
 * Code that finds the longest side of the box around records.
 *
 * @module
 */
import type { CoordinateBytes } from '../../design/design.ts'
import { recordBytes } from '../../design/order-layout.ts'
import { write } from '../language/kernel.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import type { Node } from '../wasm/nodes.ts'
import { coordinateType } from './order-records.ts'

/** Sets variables to the middle of the side, to its length, and to the offset of its coordinate in a record. */
export function longestSide(
  dimension: number,
  bytes: CoordinateBytes,
): (code: FunctionBuilder, from: Node, end: Node, count: Node, middle: Node, length: Node, offset: Node) => void {
  const size = recordBytes(bytes)
  // One register holds all coordinates if they are float32, and two coordinates otherwise.
  const lanes = 16 / bytes
  const register = bytes === 4 ? 'f32x4' : 'f64x2'
  const parts = Math.ceil(dimension / lanes)
  return (code, from, end, count, middle, length, offset) => write(code)`
    lanes coordinates = ${register}
    scalar coordinate = ${coordinateType(bytes)}
    const from = ${from}
    const parts = ${parts}
    // The two halves of the records have extremes of their own, so that two chains of comparisons run side by side.
    let half = (${count} + 1 >> 1) * ${size}
    let apart = ${end} - from - half
    unroll part of 0..parts {
      var low[part] = v128[from + 16 * part] as coordinates
      var otherLow[part] = v128[from + 16 * part] as coordinates
      var high[part] = v128[from + 16 * part] as coordinates
      var otherHigh[part] = v128[from + 16 * part] as coordinates
    }
    for record in from..from + half step ${size} {
      let other = record + apart
      unroll part of 0..parts {
        let x = v128[record + 16 * part] as coordinates
        low[part] = pmin(low[part], x)
        high[part] = pmax(high[part], x)
        let y = v128[other + 16 * part] as coordinates
        otherLow[part] = pmin(otherLow[part], y)
        otherHigh[part] = pmax(otherHigh[part], y)
      }
    }
    unroll part of 0..parts {
      let lows[part] = pmin(low[part], otherLow[part])
      let highs[part] = pmax(high[part], otherHigh[part])
    }
    const longest: f64 = ${length}
    longest = -1
    var start: f64
    unroll axis of 0..${dimension} {
      const n = axis % ${lanes}
      const part = (axis - n) / ${lanes}
      let least = f64(lane(lows[part], n) as coordinate)
      let most = f64(lane(highs[part], n) as coordinate)
      let side = most - least
      if side > longest {
        longest = side
        start = least
        ${offset} = axis * ${bytes}
      }
    }
    ${middle} = start + longest * 0.5`
}
