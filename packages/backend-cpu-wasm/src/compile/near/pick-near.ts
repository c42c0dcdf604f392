/**
 * Filters the gathered sources of a group to those near one block of targets, and tells whether these need images.
 *
 * @module
 */
import { axes } from '@manybody/core/backend'
import { aroundOf, toNearest } from '../ranges/walk.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, get, i32, type Local, type Node, op, plus, set, times } from '../wasm/nodes.ts'
import { appendMarked, arrayBytes, axesOf, gap2, markedPast, type NearOptions, parts, splatOf } from './near-lists.ts'

/** Sources that the filter drops: `count` places from `from` on. Both numbers are in all lanes. */
interface LeftOut {
  readonly from: Node
  readonly count: Node
}

/** Writes the filter from a gathered list to the sources near the box of one block. It stores places, or displacements and places. */
export function pickNear(
  code: FunctionBuilder,
  block: Node,
  frame: Node,
  { writer, dimension, periodic }: NearOptions,
  displacements: boolean,
): {
  /** Reads the box of a block at an address. */
  readonly start: (box: Node) => void
  /** Filters `first ... end` and writes to arrays from `to` on. Returns the end of the first array. */
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
  /** Moves sources to their images that are nearest to the block. */
  const moveNear = (sources: readonly Local[]): void => {
    for (const [axis, x] of sources.entries()) {
      const around = aroundOf(walk, axis, (x) => op('f32x4.splat', op('f32.demote_f64', x)))
      const apart = op('f32x4.sub', get(x), get(centres[axis] as Local))
      code.emit(set(x, toNearest('f32x4', apart, around, get(x))))
    }
  }
  return {
    start(box) {
      if (periodic) code.emit(set(loose, at('i32.load', parts.loose, frame)))
      for (const axis of used) {
        const apart = code.local('f64', 'apart')
        code.emit(
          set(apart, op('f64.sub', at('f64.load', axis * 8, box), at('f64.load', parts.centre + axis * 8, frame))),
        )
        if (periodic) {
          code.emit(set(apart, toNearest('f64', get(apart), aroundOf(walk, axis))))
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
          const places = code.let('v128', 'places', at('v128.load', dimension * arrayBytes, get(from)))
          const leftOut = without && op('i32x4.lt_u', op('i32x4.sub', places, without.from), without.count)
          const dropped = leftOut ? op('v128.or', get(beyond), leftOut) : get(beyond)
          code.emit(set(mask, op('i32.xor', op('i32x4.bitmask', dropped), i32(15))))
          const append = (values: readonly Node[]) =>
            appendMarked(code, plus(frame, parts.table), arrayBytes, picked, get(mask), values)
          // Few registers hold a source that passes.
          if (displacements) code.if(get(mask), () => append([...sources, places]))
          else append([places])
          code.emit(set(from, plus(get(from), 16)))
          return op('i32.lt_u', get(from), end)
        })
        // The last register may reach past the end of the list, so the lanes past it are taken back.
        code.emit(set(picked, op('i32.sub', get(picked), times(markedPast(end, get(mask), get(from)), 4))))
      })
      return get(picked)
    },
  }
}

/** Whether no target of some registers needs images for the sources in the lists without images. */
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
