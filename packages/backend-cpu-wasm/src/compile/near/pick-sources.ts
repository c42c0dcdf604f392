/**
 * Filters a block of sources to those within reach of the box of a block of targets, four at a time.
 *
 * @module
 */
import { blockPoints } from '@manybody/core/near'
import { aroundOf, toNearest } from '../ranges/walk.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, get, i32, type Local, type Node, op, plus, set, times } from '../wasm/nodes.ts'
import { boxOf, iotaOf, loss, tableOf } from './near-blocks.ts'
import { appendMarked, axesOf, gap2, type NearOptions, splatOf } from './near-lists.ts'
import { coordinatesOf, numbersOf } from './near-sources.ts'

type Options = Pick<NearOptions, 'writer' | 'targets' | 'sources' | 'dimension' | 'periodic' | 'sameSet'>

/**
 * Writes the filter. `start` takes the box at an address. `pick` filters the block with a first place, by the square of a
 * widened reach, and appends places to the list that ends at `end`. `all` appends all places from one to another.
 */
export function pickSources(
  code: FunctionBuilder,
  block: Node,
  frame: Node,
  options: Options,
): {
  readonly start: (box: Node) => void
  readonly pick: (place: Node, reach2: Node, end: Local) => void
  readonly all: (from: Node, to: Node, end: Local) => void
} {
  const { writer, dimension, periodic } = options
  const { vector } = writer
  const walk = writer.slot(code, block, 'walk')
  const used = axesOf(dimension).map((axis) => ({
    axis,
    around: periodic ? aroundOf(walk, axis, (x) => code.let('v128', 'around', splatOf(writer, x))) : undefined,
  }))
  const iota = code.let('v128', 'iota', iotaOf(frame))
  const count = writer.slot(code, block, 'sourceCount')
  const sourceCount = code.let('v128', 'sourceCount', op('i32x4.splat', count))
  const coordinates = coordinatesOf(code, block, options)
  // Kept in memory, because V8 would compute them anew for each block: the filter does not run for every block.
  const kept = boxOf(frame)
  return {
    start(box) {
      for (const { axis } of used) {
        const exact = code.let('f64', 'centre', at('f64.load', axis * 8, box))
        const rounded = vector.bytes === 4 ? op('f64.promote_f32', op('f32.demote_f64', exact)) : exact
        const middle = code.let('f64', 'rounded', rounded)
        const moved = op('f64.abs', op('f64.sub', exact, middle))
        const size = op('f64.mul', op('f64.add', at('f64.load', 24 + axis * 8, box), moved), {
          kind: 'constant',
          type: 'f64',
          value: 1 + loss,
        })
        code.emit(at('v128.store', 32 * axis, kept, splatOf(writer, middle)))
        code.emit(at('v128.store', 32 * axis + 16, kept, op('f32x4.splat', op('f32.demote_f64', size))))
      }
    },
    pick(first, reach2, end) {
      const sides = used.map(({ axis }) => {
        const side = (name: string, offset: number) => code.let('v128', name, at('v128.load', 32 * axis + offset, kept))
        return { centre: side('middle', 0), half: side('halfEdge', 16) }
      })
      for (let n = 0; n < blockPoints; n += 4) {
        const place = n ? code.let('i32', 'place', plus(first, n)) : first
        const load = coordinates(place)
        const along = used.map(({ axis, around }) => {
          const { centre, half } = sides[axis] as (typeof sides)[0]
          const halves = load(axis).map((x) => {
            const straight = code.let('v128', 'straight', vector.op('sub', x, centre))
            return toNearest(vector.type, straight, around)
          })
          return [numbersOf(halves), undefined, half] as const
        })
        const places = code.let('v128', 'places', op('i32x4.add', op('i32x4.splat', place), iota))
        const exists = op('i32x4.lt_s', places, sourceCount)
        const near = op('v128.andnot', exists, op('f32x4.gt', gap2(code, along), reach2))
        appendMarked(code, tableOf(frame), 0, end, op('i32x4.bitmask', near), [places])
      }
    },
    all(from, to, end) {
      const last = code.let('i32', 'last', op('select', to, count, op('i32.lt_u', to, count)))
      code.for('place', from, last, 4, (place) =>
        code.emit(
          at('v128.store', 0, get(end), op('i32x4.add', op('i32x4.splat', place), iota)),
          set(end, plus(get(end), 16)),
        ),
      )
      const past = op('i32.and', op('i32.sub', from, last), i32(3))
      code.emit(set(end, op('i32.sub', get(end), times(past, 4))))
    },
  }
}
