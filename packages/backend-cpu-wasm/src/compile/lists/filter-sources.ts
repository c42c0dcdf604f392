/**
 * Filters a block of sources to those within reach of the box of a block of targets, four at a time.
 *
 * @module
 */
import { blockPoints } from '@manybody/core/backend'
import { value, write } from '../language/kernel.ts'
import { aroundOf, toNearest } from '../ranges/walk.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import type { Node } from '../wasm/nodes.ts'
import { boxOf, iotaOf, loss, tableOf } from './block-list.ts'
import { fourSources, numbersOf } from './coordinates.ts'
import { appendMarked, gapOf, type ListOptions, splatOf } from './neighbour-lists.ts'

type Options = Pick<ListOptions, 'writer' | 'targets' | 'sources' | 'dimension' | 'periodic' | 'sameSet'>

/** The filter of single sources. Lists end at a variable. */
export interface SourceFilter {
  /** Takes the box of targets at an address. */
  readonly start: (code: FunctionBuilder, box: Node) => void
  /** Filters the block with a first place, by the square of a widened reach in float32, and appends places to a list. */
  readonly filter: (code: FunctionBuilder, first: Node, reach2: Node, end: Node) => void
  /** Appends all places from one to another. */
  readonly all: (code: FunctionBuilder, from: Node, to: Node, end: Node) => void
}

/** Writes the filter. */
export function filterSources(code: FunctionBuilder, block: Node, frame: Node, options: Options): SourceFilter {
  const { writer, dimension, periodic } = options
  const { vector } = writer
  const walk = writer.slot(code, block, 'walk')
  const boxes = Array.from({ length: periodic ? dimension : 0 }, (_, axis) =>
    aroundOf(walk, axis, (x) => code.let('v128', 'around', splatOf(code, writer, x))),
  )
  const iota = code.let('v128', 'iota', iotaOf(frame))
  const count = writer.slot(code, block, 'sourceCount')
  const sourceCount = code.let('v128', 'sourceCount', value(code)`i32x4(${count})`)
  const { addressOf, load } = fourSources(code, block, options)
  // Kept in memory, because V8 would compute them anew for each block: the filter does not run for every block.
  const kept = boxOf(frame)
  const imageOf = (_: FunctionBuilder, apart: Node, axis: number) => toNearest(vector.type, apart, boxes[axis])
  const append = (code: FunctionBuilder, end: Node, marked: Node, places: Node) =>
    appendMarked(code, tableOf(frame), 0, end, marked, [places])
  return {
    start: (code, box) => write(code)`
      lanes real = ${vector.type}
      scalar number = ${writer.vector.number}
      const kept = ${kept}
      unroll axis of 0..${dimension} {
        let exact = f64[${box} + 8 * axis]
        let rounded = f64(number(exact))
        const size = (f64[${box} + 24 + 8 * axis] + abs(exact - rounded)) * ${1 + loss}
        v128[kept + 32 * axis] = real(number(rounded))
        v128[kept + 32 * axis + 16] = f32x4(f32(size))
      }`,
    filter: (code, first, reach2, end) => write(code)`
      lanes real = ${vector.type}
      const kept = ${kept}
      const load: real = ${load}
      const numbersOf: f32x4 = ${numbersOf}
      const gapOf: f32x4 = ${gapOf}
      unroll axis of 0..${dimension} {
        let middle[axis] = v128[kept + 32 * axis] as real
        let half[axis] = v128[kept + 32 * axis + 16] as f32x4
      }
      unroll n of 0..${blockPoints / 4} {
        let place = ${first} + 4 * n
        let from: i32 = ${addressOf}(place)
        unroll axis of 0..${dimension} {
          unroll n of 0..${4 / vector.lanes} {
            let straight = load(from, axis, n) - middle[axis]
            const moved[n] = ${imageOf}(straight, axis) as real
          }
          const apart[axis] = numbersOf(moved)
        }
        let places = i32x4(place) + ${iota}
        const exists = i32x4.lt_s(places, ${sourceCount})
        unroll axis of 0..${dimension} { let gap[axis] = gapOf(apart[axis], half[axis]) }
        const beyond = sum(axis of 0..${dimension}: gap[axis] * gap[axis]) > f32x4(${reach2})
        ${append}(${end}, i32x4.bitmask(v128.andnot(exists, beyond)), places)
      }`,
    all: (code, from, to, end) => write(code)`
      let last = ${to} < ${count} ? ${to} as i32 : ${count}
      for place in ${from}..last step 4 {
        v128[${end}] = i32x4(place) + ${iota}
        ${end} += 16
      }
      ${end} -= (${from} - last & 3) * 4`,
  }
}
