/**
 * Picks, for a block of targets, the sources near its own box from what was gathered, and says whether these need images. Lists
 * that last are picked exactly: a source must be near one of the targets.
 *
 * @module
 */
import { axes, blockPoints } from '@manybody/core/backend'
import { walkNumbers } from '../ranges/walk.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, get, i32, type Local, laneAt, type Node, op, plus, set, times } from '../wasm/nodes.ts'
import { arrayBytes, axesOf, gap2, type NearOptions, parts, splatOf } from './near-lists.ts'

/** Sources that are not picked: this number of places from one on, in all lanes. */
interface LeftOut {
  readonly from: Node
  readonly count: Node
}

/** Writes what picks, for a block of targets, the sources near its own box from a list. */
export function pickNear(
  code: FunctionBuilder,
  block: Node,
  frame: Node,
  { writer, targets, dimension, periodic }: NearOptions,
  exact: boolean,
): {
  /** Reads the box of a block at an address, and its registers. */
  readonly start: (box: Node, registers: readonly Node[]) => void
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
  /** Whether the nearest image of a source may differ between the blocks of the group. */
  const loose = code.local('i32', 'loose')
  const { vector } = writer
  /** Keeps the displacements of the targets of a block from the centre of its group. */
  const keepTargets = (registers: readonly Node[]) => {
    for (const axis of used) {
      const [share, length] = (['shares', 'lengths'] as const).map((name) =>
        periodic ? splatOf(writer, at('f64.load', walkNumbers[name] + axis * 8, walk)) : i32(0),
      ) as [Node, Node]
      const centre = code.let('v128', 'centre', splatOf(writer, at('f64.load', parts.centre + axis * 8, frame)))
      for (const [u, register] of registers.entries()) {
        const x = at('v128.load', targets.names.indexOf(`${axes[axis]}i`) * vector.width, register)
        const apart = code.let('v128', 'apart', vector.op('sub', x, centre))
        const moved = periodic
          ? vector.op('sub', apart, vector.op('mul', length, vector.unary('nearest', vector.op('mul', apart, share))))
          : apart
        const to = parts.targets + axis * 4 * blockPoints + u * 4 * vector.lanes
        if (vector.bytes === 4) code.emit(at('v128.store', to, frame, moved))
        else code.emit(laneAt('v128.store64_lane', to, 0, frame, op('f32x4.demote_f64x2_zero', moved)))
      }
    }
  }
  /** Whether four sources are beyond the reach of every target. */
  const beyondAll = (sources: readonly Node[]): Node => {
    const squares = Array.from({ length: blockPoints }, (_, t) => {
      const along = used.map((axis) => {
        const target = at('v128.load32_splat', parts.targets + 4 * (axis * blockPoints + t), frame)
        return [sources[axis] as Node, target, code.constant('f32x4', 0)] as const
      })
      return code.let('v128', 'square', gap2(code, along))
    })
    // A square that is not a number is not greater.
    return squares.map((square) => op('f32x4.gt', square, reach2)).reduce((a, b) => op('v128.and', a, b))
  }
  /** Moves sources to their images that are nearest to the block. */
  const moveNear = (sources: readonly Local[]): void => {
    for (const [axis, x] of sources.entries()) {
      const [share, length] = (['shares', 'lengths'] as const).map((name) =>
        op('f32x4.splat', op('f32.demote_f64', at('f64.load', walkNumbers[name] + axis * 8, walk))),
      ) as [Node, Node]
      const apart = op('f32x4.sub', get(x), get(centres[axis] as Local))
      const images = op('f32x4.nearest', op('f32x4.mul', apart, share))
      code.emit(set(x, op('f32x4.sub', get(x), op('f32x4.mul', length, images))))
    }
  }
  return {
    start(box, registers) {
      if (exact) keepTargets(registers)
      if (periodic) code.emit(set(loose, at('i32.load', parts.loose, frame)))
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
        code.emit(set(centres[axis] as Local, op('f32x4.splat', op('f32.demote_f64', get(apart)))))
        code.emit(set(halves[axis] as Local, op('f32x4.splat', half)))
      }
    },
    pick(first, end, to, without) {
      code.emit(set(picked, to), set(from, first), set(mask, i32(0)))
      code.if(op('i32.lt_u', get(from), end), () => {
        code.repeat(() => {
          const loaded = used.map((axis) => {
            const x = code.local('v128', 'x')
            code.emit(set(x, at('v128.load', axis * arrayBytes, get(from))))
            return x
          })
          if (periodic) code.if(get(loose), () => moveNear(loaded))
          const sources = loaded.map(get)
          const along = used.map(
            (axis) => [sources[axis] as Node, get(centres[axis] as Local), get(halves[axis] as Local)] as const,
          )
          const beyond = code.local('v128', 'beyond')
          code.emit(set(beyond, op('f32x4.gt', gap2(code, along), reach2)))
          // A target may be nearer to another image than its block is.
          const some = op('i32.ne', op('i32x4.bitmask', get(beyond)), i32(15))
          if (exact)
            code.if(op('i32.gt_u', some, get(loose)), () =>
              code.emit(set(beyond, op('v128.or', get(beyond), beyondAll(sources)))),
            )
          const places = code.let('v128', 'places', at('v128.load', dimension * arrayBytes, get(from)))
          const leftOut = without && op('i32x4.lt_u', op('i32x4.sub', places, without.from), without.count)
          const dropped = leftOut ? op('v128.or', get(beyond), leftOut) : get(beyond)
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
  const inside = axesOf(dimension).flatMap((axis) => {
    const centre = code.let('v128', 'centre', splatOf(writer, at('f64.load', parts.centre + axis * 8, frame)))
    const bound = code.let('v128', 'bound', splatOf(writer, at('f64.load', parts.bounds + axis * 8, frame)))
    return registers.map((address) => {
      const x = at('v128.load', targets.names.indexOf(`${axes[axis]}i`) * vector.width, address)
      return vector.op('le', vector.unary('abs', vector.op('sub', x, centre)), bound)
    })
  })
  const all = inside.reduce((a, b) => op('v128.and', a, b))
  return op('i32.eq', op(`${vector.integers}.bitmask`, all), i32(2 ** vector.lanes - 1))
}
