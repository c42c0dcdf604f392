/**
 * The function that fits the opening of a node to the centre of its weight, as `weightCentres` of `@manybody/core/backend`
 * finds it. It also writes the weight of the node without its heaviest point, into the slot that later holds the field. The
 * openings of the node's children must be fitted before.
 *
 * @module
 */
import { nodeBytes, nodeLinks } from '@manybody/core/backend'
import { recordBytes } from '../../design/order-layout.ts'
import { openingNumbers, schemeNumbers } from '../../design/proxy-layout.ts'
import type { ModuleWriter } from '../expressions/module-writer.ts'
import { define } from '../language/kernel.ts'
import type { Callable } from '../wasm/nodes.ts'

/** The function `fitOpening(block, offset)`; the offset is in bytes from the first node. `records` names the slot of the sources by place. */
export function defineFitOpening(
  writer: ModuleWriter,
  { dimension, weights, records }: { readonly dimension: number; readonly weights: number; readonly records: string },
): Callable {
  const { bytes, number } = writer.vector
  const slot = (name: string) => writer.offset(name)
  return define(writer.module)`
    scalar number = ${number}
    fn fitOpening(block, offset) {
      const axisBytes = ${openingNumbers.axis}
      let nodes = i32[block + ${slot('nodes')}]
      let openings = i32[block + ${slot('openings')}]
      let scheme = i32[block + ${slot('scheme')}]
      let node = nodes + offset
      let opening = openings + offset
      unroll axis of 0..${dimension} {
        let box[axis] = f64[node + 8 * axis]
        var centre[axis]: f64
      }
      let next = i32[node + ${nodeLinks.skip}] * ${nodeBytes}
      let skip = next - offset
      i32[opening + ${openingNumbers.skip}] = skip
      var share: f64
      var others: f64
      if skip == ${nodeBytes} {
        let ordered = i32[block + ${slot('weights')}]
        let places = i32[block + ${slot(records)}]
        unroll w of 0..${weights} { let inverse[w] = f64[scheme + ${schemeNumbers.inverses} + 8 * w] }
        share = 0
        others = 0
        var heaviest: f64 = 0
        unroll axis of 0..${dimension} { centre[axis] = 0 }
        for place in i32[node + ${nodeLinks.first}]..i32[node + ${nodeLinks.last}] {
          let own = ordered + place * ${bytes * weights}
          let record = places + place * ${recordBytes(bytes)}
          let size = sum(w of 0..${weights}: abs(f64(number[own + ${bytes} * w])) * inverse[w])
          share += size
          others += min(heaviest, size)
          heaviest = max(heaviest, size)
          unroll axis of 0..${dimension} { centre[axis] += size * (f64(number[record + ${bytes} * axis]) - box[axis]) }
        }
        unroll axis of 0..${dimension} { centre[axis] = box[axis] + centre[axis] / share }
      } else {
        let second = i32[node + ${nodeLinks.skip + nodeBytes}] * ${nodeBytes}
        let here = f64[opening + ${openingNumbers.reach + nodeBytes}]
        let there = f64[openings + second + ${openingNumbers.reach}]
        share = here + there
        let part = there / share
        let hereOthers = f64(f32[node + ${nodeBytes + nodeLinks.field}])
        let thereOthers = f64(f32[nodes + second + ${nodeLinks.field}])
        others = hereOthers + thereOthers + min(here - hereOthers, there - thereOthers)
        unroll axis of 0..${dimension} {
          let first = f64[opening + ${8 + nodeBytes} + axisBytes * axis]
          centre[axis] = first + (f64[openings + second + 8 + axisBytes * axis] - first) * part
        }
      }
      f64[opening + ${openingNumbers.reach}] = share
      f32[node + ${nodeLinks.field}] = f32(others)
      let weighs = share > 0
      unroll axis of 0..${dimension} {
        f64[opening + axisBytes * axis] = box[axis]
        f64[opening + axisBytes * axis + 8] = weighs ? centre[axis] : box[axis]
      }
    }`
}
