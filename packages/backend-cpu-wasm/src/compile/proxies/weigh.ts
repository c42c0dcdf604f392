/**
 * The phase `weigh`: puts the weights of sources in the order of places, and adds up their sizes.
 *
 * @module
 */

import { partBytes, partNumbers, weighPoints } from '../../design/proxy-layout.ts'
import type { ModuleWriter } from '../expressions/module-writer.ts'
import { define } from '../language/kernel.ts'

/** @param weights the attributes that proxies add up */
export function defineWeigh(writer: ModuleWriter, weights: readonly string[]): void {
  const { bytes, number } = writer.vector
  const slot = (name: string) => writer.offset(name)
  const count = weights.length
  define(writer.module)`
    scalar number = ${number}
    fn weigh(block, scratch, first, last) {
      let order = i32[block + ${slot('sourceOrder')}]
      let count = i32[block + ${slot('sourceCount')}]
      let ordered = i32[block + ${slot('weights')}]
      let parts = i32[block + ${slot('weightParts')}]
      const arrays = ${weights.map((name) => slot(`source.${name}`))}
      unroll w of 0..${count} {
        let from[w] = i32[block + arrays[w]]
        var size[w]: f64
        var signs[w]: i32
      }
      for unit in first..last {
        unroll w of 0..${count} {
          size[w] = 0
          signs[w] = 0
        }
        let start = unit * ${weighPoints}
        for place in start..min(start + ${weighPoints}, count) {
          let point = i32[order + place * 4]
          let to = ordered + place * ${bytes * count}
          unroll w of 0..${count} {
            let weight = f64(number[from[w] + point * ${bytes}])
            number[to + w * ${bytes}] = number(weight)
            size[w] += abs(weight)
            // Bit 0 tells of positive weights, and bit 1 of negative ones.
            signs[w] |= (weight > 0) | (weight < 0) << 1
          }
        }
        unroll w of 0..${count} {
          let part = parts + unit * ${partBytes * count}
          f64[part + w * ${partBytes} + ${partNumbers.size}] = size[w]
          i32[part + w * ${partBytes} + ${partNumbers.signs}] = signs[w]
        }
      }
    }`
}
