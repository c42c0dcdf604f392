/**
 * Filters the list of a block once more, to the sources within reach of some target in one piece of the block.
 *
 * @module
 */
import { blockPoints } from '@manybody/core/backend'
import { define, write } from '../language/kernel.ts'
import { aroundOf, toNearest } from '../ranges/walk.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, type Callable, type Node } from '../wasm/nodes.ts'
import {
  appendMarked,
  arrayBytes,
  type ListOptions,
  markedPast,
  parts,
  pickedAt,
  placesIn,
  reachesAt,
  splatOf,
  squareOfReach,
} from './neighbour-lists.ts'

/** The same square for all pairs. */
const commonSquare = (_: FunctionBuilder, _size: Node, _own: Node, square: Node): Node => square

/** Stores the displacements of the targets of a block from the centre of its group, and their reaches. */
export function keepTargets(
  code: FunctionBuilder,
  block: Node,
  frame: Node,
  near: ListOptions,
  registers: readonly Node[],
): void {
  const { writer, targets, dimension, periodic, sized } = near
  const { vector } = writer
  const walk = writer.slot(code, block, 'walk')
  const load = (_: FunctionBuilder, axis: number, register: Node) =>
    at('v128.load', targets.axes[axis] as number, register)
  const boxOf = (axis: number) => (periodic ? aroundOf(walk, axis, (x) => splatOf(code, writer, x)) : undefined)
  const imageOf = (_: FunctionBuilder, apart: Node, axis: number) => toNearest(vector.type, apart, boxOf(axis))
  const sizeOf = (_: FunctionBuilder, register: Node) => at('v128.load', targets.asTarget, register)
  write(code)`
    lanes real = ${vector.type}
    scalar number = ${writer.vector.number}
    const load: real = ${load}
    const imageOf: real = ${imageOf}
    const sizeOf: real = ${sizeOf}
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
    }
    if ${sized} {
      let slack = real(number(f32[${frame} + ${parts.slack}]))
      unroll u of 0..${registers.length} {
        const size = sizeOf(registers[u])
        const own = ${reachesAt(near)} + u * ${4 * vector.lanes}
        if ${vector.bytes === 4} { v128[${frame} + own] = size + slack } else {
          v128.store64_lane[${frame} + own, 0] = f32x4.demote_f64x2_zero(size + slack)
        }
      }
    }`
}

/**
 * Defines `filterPiece(frame, end, to, first)`. It filters the list of a block for `count` targets, from number `first` of the
 * block on, and writes places to `to`. It returns their end.
 */
export function defineFilterPiece(near: ListOptions, count: number): Callable {
  const { writer, dimension, periodic, sized } = near
  const append = (code: FunctionBuilder, table: Node, end: Node, marked: Node, places: Node) =>
    appendMarked(code, table, 0, end, marked, [places])
  const [squareOf, reachAt] = sized ? [squareOfReach, parts.most] : [commonSquare, parts.reach2]
  const ownImages = sized && periodic
  return define(writer.module)`
    const squareOf: f32x4 = ${squareOf}
    fn filterPiece(frame, end, to, first) -> i32 {
      // Squared, unless each pair has its own.
      var reach2 = v128.load32_splat[frame + ${reachAt}] as f32x4
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
        if ${sized} { var own[t] = v128.load32_splat[kept + ${reachesAt(near)} + 4 * t] as f32x4 } else { const own[t] = reach2 }
      }
      if ${ownImages} {
        if i32[frame + ${parts.loose}] { unroll t of 0..${count} { own[t] = f32x4(infinity) } }
      }
      var picked = to
      var from = frame + ${pickedAt(near)}
      var mask = 0
      while from < end {
        unroll axis of 0..${dimension} { let x[axis] = v128[from + axis * ${arrayBytes}] as f32x4 }
        const sizes = v128[from + ${dimension * arrayBytes}] as f32x4
        unroll t of 0..${count} {
          unroll axis of 0..${dimension} { let apart[axis] = x[axis] - target[t * ${dimension} + axis] }
          // A NaN square compares as not greater, so the source passes.
          const within[t] = squareOf(sizes, own[t], reach2)
          const beyond[t] = sum(axis of 0..${dimension}: apart[axis] * apart[axis]) > within[t]
        }
        mask = i32x4.bitmask(all(t of 0..${count}: beyond[t])) ^ 15
        ${append}(frame + ${parts.table}, picked, mask, v128[from + ${placesIn(near) * arrayBytes}])
        from += 16
      }
      return picked - ${markedPast}(end, mask, from) * 4
    }`
}
