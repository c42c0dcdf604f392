/**
 * Filters the list of a block once more, to the sources within reach of some target in one piece of the block.
 *
 * @module
 */
import { axes } from '@manybody/core/backend'
import { blockPoints } from '@manybody/core/near'
import { aroundOf, toNearest } from '../ranges/walk.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { integers } from '../wasm/module-builder.ts'
import { at, type Callable, get, i32, laneAt, type Node, op, plus, set, times } from '../wasm/nodes.ts'
import {
  appendMarked,
  arrayBytes,
  axesOf,
  markedPast,
  type NearOptions,
  parts,
  pickedAt,
  splatOf,
} from './near-lists.ts'

/** Stores the displacements of the targets of a block from the centre of its group. */
export function keepTargets(
  code: FunctionBuilder,
  block: Node,
  frame: Node,
  { writer, targets, dimension, periodic }: NearOptions,
  registers: readonly Node[],
): void {
  const { vector } = writer
  const walk = writer.slot(code, block, 'walk')
  for (const axis of axesOf(dimension)) {
    const around = periodic ? aroundOf(walk, axis, (x) => splatOf(writer, x)) : undefined
    const centre = code.let('v128', 'centre', splatOf(writer, at('f64.load', parts.centre + axis * 8, frame)))
    for (const [u, register] of registers.entries()) {
      const x = at('v128.load', targets.names.indexOf(`${axes[axis]}i`) * vector.width, register)
      const apart = code.let('v128', 'apart', vector.op('sub', x, centre))
      const moved = toNearest(vector.type, apart, around)
      const to = parts.targets + axis * 4 * blockPoints + u * 4 * vector.lanes
      if (vector.bytes === 4) code.emit(at('v128.store', to, frame, moved))
      else code.emit(laneAt('v128.store64_lane', to, 0, frame, op('f32x4.demote_f64x2_zero', moved)))
    }
  }
}

/**
 * Defines `pickTargets(frame, end, to, first)`. It filters the list of a block for `count` targets, from number `first` of the
 * block on, and writes places to `to`. It returns their end.
 */
export function definePickTargets(near: NearOptions, count: number): Callable {
  const { writer, dimension, periodic } = near
  return writer.module.define('pickTargets', integers('frame', 'end', 'to', 'first'), 'i32', (code, values) => {
    const { frame, end, to, first } = values
    const reach2 = code.local('v128', 'reach2')
    code.emit(set(reach2, at('v128.load32_splat', parts.reach2, frame)))
    // Where a target and its block may have different nearest images of a source, every source passes.
    if (periodic)
      code.if(at('i32.load', parts.loose, frame), () =>
        code.emit(set(reach2, code.constant('f32x4', Number.POSITIVE_INFINITY))),
      )
    const kept = code.let('i32', 'kept', plus(frame, times(first, 4)))
    const targets = Array.from({ length: count }, (_, t) =>
      axesOf(dimension).map((axis) =>
        code.let('v128', 'target', at('v128.load32_splat', parts.targets + 4 * (axis * blockPoints + t), kept)),
      ),
    )
    const picked = code.local('i32', 'picked')
    const from = code.local('i32', 'from')
    const mask = code.local('i32', 'mask')
    code.emit(set(picked, to), set(from, plus(frame, pickedAt(near))))
    code.emit(set(mask, i32(0)))
    code.if(op('i32.lt_u', get(from), end), () =>
      code.repeat(() => {
        const source = axesOf(dimension).map((axis) =>
          code.let('v128', 'x', at('v128.load', axis * arrayBytes, get(from))),
        )
        // A NaN square compares as not greater, so the source passes.
        const beyond = targets
          .map((target) =>
            target
              .map((x, axis) => {
                const apart = code.let('v128', 'apart', op('f32x4.sub', source[axis] as Node, x))
                return op('f32x4.mul', apart, apart)
              })
              .reduce((a, b) => op('f32x4.add', a, b)),
          )
          .map((square) => op('f32x4.gt', square, get(reach2)))
          .reduce((a, b) => op('v128.and', a, b))
        code.emit(set(mask, op('i32.xor', op('i32x4.bitmask', beyond), i32(15))))
        const places = at('v128.load', dimension * arrayBytes, get(from))
        appendMarked(code, plus(frame, parts.table), 0, picked, get(mask), [places])
        code.emit(set(from, plus(get(from), 16)))
        return op('i32.lt_u', get(from), end)
      }),
    )
    code.return(op('i32.sub', get(picked), times(markedPast(end, get(mask), get(from)), 4)))
  })
}
