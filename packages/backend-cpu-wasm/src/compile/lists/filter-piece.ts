/**
 * Filters the list of a block once more, to the sources within reach of some target in one piece of the block.
 *
 * @module
 */
import { blockPoints } from '@manybody/core/near'
import { define, write } from '../language/kernel.ts'
import { aroundOf, toNearest } from '../ranges/walk.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, type Callable, type Node } from '../wasm/nodes.ts'
import { appendMarked, arrayBytes, type ListOptions, markedPast, parts, pickedAt, splatOf } from './neighbour-lists.ts'

/** Stores the displacements of the targets of a block from the centre of its group. */
export function keepTargets(
  code: FunctionBuilder,
  block: Node,
  frame: Node,
  { writer, targets, dimension, periodic }: ListOptions,
  registers: readonly Node[],
): void {
  const { vector } = writer
  const walk = writer.slot(code, block, 'walk')
  const load = (_: FunctionBuilder, axis: number, register: Node) =>
    at('v128.load', targets.axes[axis] as number, register)
  const boxOf = (axis: number) => (periodic ? aroundOf(walk, axis, (x) => splatOf(code, writer, x)) : undefined)
  const imageOf = (_: FunctionBuilder, apart: Node, axis: number) => toNearest(vector.type, apart, boxOf(axis))
  write(code)`
    lanes real = ${vector.type}
    scalar number = ${writer.vector.number}
    const load: real = ${load}
    const imageOf: real = ${imageOf}
    const registers = ${registers}
    unroll axis of 0..${dimension} {
      let centre = real(number(f64[${frame} + ${parts.centre} + 8 * axis]))
      unroll u of 0..${registers.length} {
        let apart = load(axis, registers[u]) - centre
        const offset = ${parts.targets} + axis * ${4 * blockPoints} + u * ${4 * vector.lanes}
        if ${vector.bytes === 4} { v128[${frame} + offset] = imageOf(apart, axis) } else {
          v128.store64_lane[${frame} + offset, 0] = f32x4.demote_f64x2_zero(imageOf(apart, axis))
        }
      }
    }`
}

/**
 * Defines `filterPiece(frame, end, to, first)`. It filters the list of a block for `count` targets, from number `first` of the
 * block on, and writes places to `to`. It returns their end.
 */
export function defineFilterPiece(near: ListOptions, count: number): Callable {
  const { writer, dimension, periodic } = near
  const append = (code: FunctionBuilder, table: Node, end: Node, marked: Node, places: Node) =>
    appendMarked(code, table, 0, end, marked, [places])
  return define(writer.module)`
    fn filterPiece(frame, end, to, first) -> i32 {
      var reach2 = v128.load32_splat[frame + ${parts.reach2}] as f32x4
      if ${periodic} {
        // Where a target and its block may have different nearest images of a source, every source passes.
        if i32[frame + ${parts.loose}] { reach2 = f32x4(infinity) }
      }
      let kept = frame + first * 4
      unroll t of 0..${count} {
        unroll axis of 0..${dimension} {
          const place = ${parts.targets} + 4 * (axis * ${blockPoints} + t)
          let target[t * ${dimension} + axis] = v128.load32_splat[kept + place] as f32x4
        }
      }
      var picked = to
      var from = frame + ${pickedAt(near)}
      var mask = 0
      while from < end {
        unroll axis of 0..${dimension} { let x[axis] = v128[from + axis * ${arrayBytes}] as f32x4 }
        unroll t of 0..${count} {
          unroll axis of 0..${dimension} { let apart[axis] = x[axis] - target[t * ${dimension} + axis] }
          // A NaN square compares as not greater, so the source passes.
          const beyond[t] = sum(axis of 0..${dimension}: apart[axis] * apart[axis]) > reach2
        }
        mask = i32x4.bitmask(all(t of 0..${count}: beyond[t])) ^ 15
        ${append}(frame + ${parts.table}, picked, mask, v128[from + ${dimension * arrayBytes}])
        from += 16
      }
      return picked - ${markedPast}(end, mask, from) * 4
    }`
}
