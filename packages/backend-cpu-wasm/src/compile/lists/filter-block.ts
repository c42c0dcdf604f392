/**
 * Filters the gathered sources of a group to those near one block of targets, and tells whether these need images.
 *
 * @module
 */
import { nodeLinks } from '@manybody/core/backend'
import { value, write } from '../language/kernel.ts'
import { aroundOf, toNearest } from '../ranges/walk.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, get, type Node, plus } from '../wasm/nodes.ts'
import {
  appendMarked,
  arrayBytes,
  gapOf,
  type ListOptions,
  markedPast,
  parts,
  placesIn,
  squareOfReach,
} from './neighbour-lists.ts'

/** Sources that the filter drops: `count` places from `from` on. Both numbers are in all lanes. */
interface LeftOut {
  readonly from: Node
  readonly count: Node
}

/** The filter from a gathered list to the sources near the box of one block. */
export interface BlockFilter {
  /** Reads the box of a block at an address. */
  readonly start: (code: FunctionBuilder, box: Node) => void
  /** Filters `first ... end` and writes to arrays from `to` on. Returns the end of the first array. */
  readonly filter: (code: FunctionBuilder, first: Node, end: Node, to: Node, without?: LeftOut) => Node
}

/** Writes the filter. It stores places, or displacements and places. */
export function filterBlock(
  code: FunctionBuilder,
  block: Node,
  frame: Node,
  options: ListOptions,
  displacements: boolean,
): BlockFilter {
  const { writer, dimension, periodic, sized } = options
  const walk = writer.slot(code, block, 'walk')
  const along = (name: string) => Array.from({ length: dimension }, () => code.local('v128', name))
  const [middles, halves] = [along('middle'), along('halfEdge')]
  const reach2 = code.let('v128', 'within', at('v128.load32_splat', sized ? parts.most : parts.reach2, frame))
  const own = sized ? code.local('v128', 'ownReach') : reach2
  const picked = code.local('i32', 'picked')
  const mask = code.local('i32', 'mask')
  const from = code.local('i32', 'from')
  /** Whether the nearest image of a source may differ between the blocks of the group. */
  const loose = code.local('i32', 'loose')
  const imageOfBox = (_: FunctionBuilder, apart: Node, axis: number) => toNearest('f64', apart, aroundOf(walk, axis))
  /** The image of a source that is nearest to the block. */
  const imageOf = (code: FunctionBuilder, x: Node, apart: Node, axis: number) =>
    toNearest(
      'f32x4',
      apart,
      aroundOf(walk, axis, (length) => value(code)`f32x4(f32(${length} as f64))`),
      x,
    )
  const append = (code: FunctionBuilder, sources: readonly Node[], places: Node) =>
    appendMarked(code, plus(frame, parts.table), arrayBytes, picked, get(mask), [...sources, places])
  const sizesAt = (from: Node) => at('v128.load', dimension * arrayBytes, from)
  const appendAll = (code: FunctionBuilder, sources: readonly Node[], from: Node, places: Node) =>
    append(code, sized ? [...sources, sizesAt(from)] : sources, places)
  const withinOf = (code: FunctionBuilder, from: Node) =>
    sized ? squareOfReach(code, sizesAt(from), own, reach2) : reach2

  const filter: BlockFilter['filter'] = (code, first, end, to, without) => {
    const drop = (code: FunctionBuilder, beyond: Node, places: Node) =>
      without ? value(code)`${beyond} as v128 | (${places} as i32x4 - ${without.from} < ${without.count})` : beyond
    return value(code)`
      const from: i32 = ${from}
      const mask: i32 = ${mask}
      const picked: i32 = ${picked}
      const loose: i32 = ${loose}
      const middle: f32x4 = ${middles}
      const half = ${halves}
      const gapOf: f32x4 = ${gapOf}
      const drop: v128 = ${drop}
      picked = ${to}
      from = ${first}
      mask = 0
      if from < ${end} {
        do {
          unroll axis of 0..${dimension} { var x[axis] = v128[from + axis * ${arrayBytes}] as f32x4 }
          if ${periodic} {
            if loose { unroll axis of 0..${dimension} { x[axis] = ${imageOf}(x[axis], x[axis] - middle[axis], axis) } }
          }
          unroll axis of 0..${dimension} { let gap[axis] = gapOf(x[axis] - middle[axis], half[axis]) }
          const within: f32x4 = ${withinOf}(from)
          var beyond = sum(axis of 0..${dimension}: gap[axis] * gap[axis]) > within
          let places = v128[from + ${placesIn(options) * arrayBytes}] as i32x4
          mask = i32x4.bitmask(drop(beyond, places)) ^ 15
          // Few registers hold a source that passes.
          if ${displacements} { if mask { ${appendAll}(x, from, places) } } else { ${append}(${[]}, places) }
          from += 16
        } while from < ${end}
        // The last register may reach past the end of the list, so the lanes past it are taken back.
        picked -= ${markedPast}(${end}, mask, from) * 4
      }
      picked`
  }
  return {
    start: (code, box) => write(code)`
      const frame = ${frame}
      const middle = ${middles}
      const half = ${halves}
      if ${periodic} { ${loose} = i32[frame + ${parts.loose}] }
      if ${sized} { ${own} = f32x4(f32[${box} + ${nodeLinks.size}] + f32[frame + ${parts.slack}]) }
      unroll axis of 0..${dimension} {
        var apart = f64[${box} + 8 * axis] - f64[frame + ${parts.centre} + 8 * axis]
        if ${periodic} { apart = ${imageOfBox}(apart, axis) }
        middle[axis] = f32x4(f32(apart))
        half[axis] = f32x4(f32(f64[${box} + 24 + 8 * axis]))
      }`,
    filter,
  }
}

/** Whether no target of some registers needs images for the sources in the lists without images. */
export function withoutImages(
  code: FunctionBuilder,
  frame: Node,
  { writer, targets, dimension }: ListOptions,
  registers: readonly Node[],
): Node {
  const { vector } = writer
  const load = (_: FunctionBuilder, axis: number, register: Node) =>
    at('v128.load', targets.axes[axis] as number, register)
  return value(code)`
    lanes real = ${vector.type}
    lanes whole = ${vector.integers}
    scalar number = ${writer.vector.number}
    const load: real = ${load}
    unroll axis of 0..${dimension} {
      let centre = real(number(f64[${frame} + ${parts.centre} + 8 * axis]))
      let bound = real(number(f64[${frame} + ${parts.bounds} + 8 * axis]))
      const inside[axis] = all(register of ${registers}: abs(load(axis, register) - centre) <= bound)
    }
    whole.bitmask(all(axis of 0..${dimension}: inside[axis])) == ${2 ** vector.lanes - 1}`
}
