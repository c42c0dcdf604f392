/**
 * The function that fits the opening of a node to the centre of its weight, as `weightCentres` of `@manybody/core/backend`
 * finds it. It also writes the weight of the node without its heaviest point, into the slot that later holds the field. The
 * openings of the node's children must be fitted before.
 *
 * @module
 */
import { nodeBytes, nodeLinks } from '@manybody/core/near'
import { recordBytes } from '../../design/order-layout.ts'
import { openingNumbers, schemeNumbers } from '../../design/proxy-layout.ts'
import type { ModuleWriter } from '../expressions/module-writer.ts'
import { loadCoordinate } from '../ranges/order-records.ts'
import { integers } from '../wasm/module-builder.ts'
import { at, type Callable, get, i32, type Node, op, plus, set, times } from '../wasm/nodes.ts'
import { difference, f64, loadNumber, product, quotient, sum } from './float64.ts'

/** The function `fitOpening(block, node)`, where `node` is an offset. `records` names the slot of the sources by place. */
export function defineFitOpening(
  writer: ModuleWriter,
  { dimension, weights, records }: { readonly dimension: number; readonly weights: number; readonly records: string },
): Callable {
  const axes = [0, 1, 2].slice(0, dimension)
  return writer.module.define('fitOpening', integers('block', 'offset'), undefined, (code, { block, offset }) => {
    const slot = (name: string) => writer.slot(code, block, name)
    const [nodes, openings, scheme] = [slot('nodes'), slot('openings'), slot('scheme')]
    const { bytes } = writer.vector
    const node = code.let('i32', 'node', plus(nodes, offset))
    const opening = code.let('i32', 'opening', plus(openings, offset))
    const boxes = axes.map((axis) => code.let('f64', 'box', at('f64.load', 8 * axis, node)))
    const next = code.let('i32', 'skip', times(at('i32.load', nodeLinks.skip, node), nodeBytes))
    const skip = code.let('i32', 'bytes', op('i32.sub', next, offset))
    code.emit(at('i32.store', openingNumbers.skip, opening, skip))
    const share = code.local('f64', 'share')
    const others = code.local('f64', 'others')
    const centres = axes.map(() => code.local('f64', 'centre'))
    code.if(
      op('i32.eq', skip, i32(nodeBytes)),
      () => {
        const [ordered, places] = [slot('weights'), slot(records)]
        const inverses = Array.from({ length: weights }, (_, w) =>
          code.let('f64', 'inverse', at('f64.load', schemeNumbers.inverses + 8 * w, scheme)),
        )
        const heaviest = code.local('f64', 'heaviest')
        code.emit(set(share, f64(0)), set(others, f64(0)), set(heaviest, f64(0)))
        code.emit(...centres.map((centre) => set(centre, f64(0))))
        code.for('place', at('i32.load', nodeLinks.first, node), at('i32.load', nodeLinks.last, node), 1, (place) => {
          const own = code.let('i32', 'own', plus(ordered, times(place, bytes * weights)))
          const record = code.let('i32', 'record', plus(places, times(place, recordBytes(bytes))))
          const sizes = inverses.map((inverse, w) =>
            product(op('f64.abs', loadNumber(writer.vector, bytes * w, own)), inverse),
          )
          const size = code.let('f64', 'size', sizes.reduce(sum))
          code.emit(set(share, sum(get(share), size)))
          code.emit(set(others, sum(get(others), op('f64.min', get(heaviest), size))))
          code.emit(set(heaviest, op('f64.max', get(heaviest), size)))
          for (const [axis, centre] of centres.entries()) {
            const x = loadCoordinate(bytes, plus(record, bytes * axis))
            const apart = difference(x, boxes[axis] as Node)
            code.emit(set(centre, sum(get(centre), product(size, apart))))
          }
        })
        for (const [axis, centre] of centres.entries())
          code.emit(set(centre, sum(boxes[axis] as Node, quotient(get(centre), get(share)))))
      },
      () => {
        const second = code.let('i32', 'second', times(at('i32.load', nodeLinks.skip + nodeBytes, node), nodeBytes))
        const here = code.let('f64', 'here', at('f64.load', openingNumbers.reach + nodeBytes, opening))
        const there = code.let('f64', 'there', at('f64.load', openingNumbers.reach, plus(openings, second)))
        code.emit(set(share, sum(here, there)))
        const part = code.let('f64', 'part', quotient(there, get(share)))
        const othersOf = (child: Node) =>
          code.let('f64', 'others', op('f64.promote_f32', at('f32.load', nodeLinks.field, child)))
        const [hereOthers, thereOthers] = [othersOf(plus(node, nodeBytes)), othersOf(plus(nodes, second))]
        const heaviest = [difference(here, hereOthers), difference(there, thereOthers)] as const
        code.emit(set(others, sum(sum(hereOthers, thereOthers), op('f64.min', ...heaviest))))
        for (const [axis, centre] of centres.entries()) {
          const at8 = openingNumbers.axis * axis + 8
          const centre8 = code.let('f64', 'centre', at('f64.load', at8 + nodeBytes, opening))
          const apart = difference(at('f64.load', at8, plus(openings, second)), centre8)
          code.emit(set(centre, sum(centre8, product(apart, part))))
        }
      },
    )
    code.emit(at('f64.store', openingNumbers.reach, opening, get(share)))
    code.emit(at('f32.store', nodeLinks.field, node, op('f32.demote_f64', get(others))))
    const weighs = code.let('i32', 'weighs', op('f64.gt', get(share), f64(0)))
    for (const [axis, centre] of centres.entries()) {
      const box = boxes[axis] as Node
      code.emit(at('f64.store', openingNumbers.axis * axis, opening, box))
      code.emit(at('f64.store', openingNumbers.axis * axis + 8, opening, op('select', get(centre), box, weighs)))
    }
  })
}
