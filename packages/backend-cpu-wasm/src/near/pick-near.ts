/**
 * Picks, for a block of targets, the sources near its own box from what was gathered, and says whether these need images.
 *
 * @module
 */
import { axes } from '@manybody/core/backend'
import { walkNumbers } from '../ranges/walk.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, get, i32, type Local, type Node, op, plus, set, times } from '../wasm/nodes.ts'
import { arrayBytes, axesOf, gap2, type NearOptions, parts } from './near-lists.ts'

/** Sources that are not picked: this number of places from one on, in all lanes. */
export interface LeftOut {
  readonly from: Node
  readonly count: Node
}

/** Writes what picks, for a block of targets, the sources near its own box from a list. */
export function pickNear(
  code: FunctionBuilder,
  block: Node,
  frame: Node,
  { writer, dimension, periodic }: NearOptions,
): {
  /** Reads the box of a block at an address. */
  readonly start: (box: Node) => void
  /** Picks from `first ... end` and writes the places from `to` on. Returns the end of these. */
  readonly pick: (first: Node, end: Node, to: Node, without?: LeftOut) => Node
} {
  const walk = writer.slot(code, block, 'walk')
  const used = axesOf(dimension)
  const centres = used.map(() => code.local('v128', 'middle'))
  const halves = used.map(() => code.local('v128', 'halfEdge'))
  const reach2 = code.let('v128', 'within', at('v128.load32_splat', parts.reach2, frame))
  const picked = code.local('i32', 'picked')
  const mask = code.local('i32', 'mask')
  const from = code.local('i32', 'from')
  return {
    start(box) {
      for (const axis of used) {
        const apart = code.local('f64', 'apart')
        code.emit(
          set(apart, op('f64.sub', at('f64.load', axis * 8, box), at('f64.load', parts.centre + axis * 8, frame))),
        )
        if (periodic) {
          const share = at('f64.load', walkNumbers.shares + axis * 8, walk)
          const length = at('f64.load', walkNumbers.lengths + axis * 8, walk)
          const images = op('f64.nearest', op('f64.mul', get(apart), share))
          code.emit(set(apart, op('f64.sub', get(apart), op('f64.mul', length, images))))
        }
        const half = op('f32.demote_f64', at('f64.load', 24 + axis * 8, box))
        const loose = at('f32.load', parts.loose + axis * 4, frame)
        code.emit(set(centres[axis] as Local, op('f32x4.splat', op('f32.demote_f64', get(apart)))))
        code.emit(set(halves[axis] as Local, op('f32x4.splat', op('f32.add', half, loose))))
      }
    },
    pick(first, end, to, without) {
      code.emit(set(picked, to), set(from, first), set(mask, i32(0)))
      code.if(op('i32.lt_u', get(from), end), () => {
        code.repeat(() => {
          const along = used.map(
            (axis) =>
              [
                at('v128.load', axis * arrayBytes, get(from)),
                get(centres[axis] as Local),
                get(halves[axis] as Local),
              ] as const,
          )
          const beyond = op('f32x4.gt', gap2(code, along), reach2)
          const places = code.let('v128', 'places', at('v128.load', dimension * arrayBytes, get(from)))
          const leftOut = without && op('i32x4.lt_u', op('i32x4.sub', places, without.from), without.count)
          const dropped = leftOut ? op('v128.or', beyond, leftOut) : beyond
          code.emit(set(mask, op('i32.xor', op('i32x4.bitmask', dropped), i32(15))))
          const front = at('v128.load', parts.table, plus(frame, times(get(mask), 16)))
          code.emit(at('v128.store', 0, get(picked), op('i8x16.swizzle', places, front)))
          code.emit(set(picked, plus(get(picked), times(op('i32.popcnt', get(mask)), 4))))
          code.emit(set(from, plus(get(from), 16)))
          return op('i32.lt_u', get(from), end)
        })
        // The last register may reach past the end of the list, with its last lanes.
        const spare = op('i32.shr_u', op('i32.sub', get(from), end), i32(2))
        const wrong = op('i32.popcnt', op('i32.shr_u', get(mask), op('i32.sub', i32(4), spare)))
        code.emit(set(picked, op('i32.sub', get(picked), times(wrong, 4))))
      })
      return get(picked)
    },
  }
}

/** Whether every target of some registers is met without images by the sources that are listed apart. */
export function withoutImages(
  code: FunctionBuilder,
  frame: Node,
  { writer, targets, dimension }: NearOptions,
  registers: readonly Node[],
): Node {
  const { vector } = writer
  const splatOf = (number: Node) =>
    vector.bytes === 4 ? op('f32x4.splat', op('f32.demote_f64', number)) : op('f64x2.splat', number)
  const inside = axesOf(dimension).flatMap((axis) => {
    const centre = code.let('v128', 'centre', splatOf(at('f64.load', parts.centre + axis * 8, frame)))
    const bound = code.let('v128', 'bound', splatOf(at('f64.load', parts.bounds + axis * 8, frame)))
    return registers.map((address) => {
      const x = at('v128.load', targets.names.indexOf(`${axes[axis]}i`) * vector.width, address)
      return vector.op('le', vector.unary('abs', vector.op('sub', x, centre)), bound)
    })
  })
  const all = inside.reduce((a, b) => op('v128.and', a, b))
  return op('i32.eq', op(`${vector.integers}.bitmask`, all), i32(2 ** vector.lanes - 1))
}
