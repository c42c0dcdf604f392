/**
 * The list of blocks of sources near a group of blocks of targets, and the filter of this list for one block of targets.
 *
 * Centres are stored as displacements from the centre of the group, to the nearest image, in float32. Half edges and the reach
 * are widened by more than all of these roundings, so every block that may have a source within reach passes.
 *
 * @module
 */
import { blockPoints, nodeBytes } from '@manybody/core/backend'
import { walkNumbers } from '../../design/walk-layout.ts'
import type { ModuleWriter } from '../expressions/module-writer.ts'
import { tileSources } from '../folds/least-rows.ts'
import { value, write } from '../language/kernel.ts'
import { aroundOf, toNearest } from '../ranges/walk.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, type Local, type Node, plus } from '../wasm/nodes.ts'
import { appendMarked, gapOf, tableBytes, writeIota, writeTable } from './neighbour-lists.ts'

/** The most blocks in the list. */
export const mostListed: number = tileSources / blockPoints
/** Bytes of one array. Registers are written whole, also at the end. */
const arrayBytes = (mostListed + 16) * 4
/** Roundings are relative to the reach, to the boxes and to the displacements. Each takes less than a quarter of this. */
export const loss: number = 2 ** -20
/** Half edges and reaches are widened by this. */
const wider = 1 + loss

/** Where the parts are, from the address of the frame. */
const parts = { centre: 0, margin: 24, iota: 32, table: 48, box: 48 + tableBytes, lists: 144 + tableBytes } as const
const pickedAt = (dimension: number) => parts.lists + (2 * dimension + 1) * arrayBytes

/** Bytes of the frame, with the list of the group and the filtered list of a block. */
export const blockListBytes = (dimension: number): number => pickedAt(dimension) + arrayBytes

interface BlockListOptions {
  readonly writer: ModuleWriter
  readonly dimension: number
  readonly periodic: boolean
}

/** The address of the first entry of the list. */
export const listedFrom = (frame: Node): Node => plus(frame, parts.lists)

/** The address of the table that moves marked lanes to the front. */
export const tableOf = (frame: Node): Node => plus(frame, parts.table)

/** The address where `filter-sources.ts` keeps the box of a block. */
export const boxOf = (frame: Node): Node => plus(frame, parts.box)

/** The numbers 0, 1, 2 and 3. */
export const iotaOf = (frame: Node): Node => at('v128.load', parts.iota, frame)

/** The list of blocks near a group. */
export interface BlockList {
  /** Begins with the box of a group at an address. */
  readonly start: (code: FunctionBuilder, box: Node) => void
  /** Appends the block with a first place. The end of the list is a variable. */
  readonly add: (code: FunctionBuilder, place: Node, end: Node) => void
}

/** Writes the list of blocks. */
export function listBlocks(
  code: FunctionBuilder,
  block: Node,
  frame: Node,
  { writer, dimension, periodic }: BlockListOptions,
): BlockList {
  const walk = writer.slot(code, block, 'walk')
  const sourceBlocks = writer.slot(code, block, 'sourceBlocks')
  const imageOf = (_: FunctionBuilder, apart: Node, axis: number) => toNearest('f64', apart, aroundOf(walk, axis))
  writeIota(code, plus(frame, parts.iota))
  writeTable(code, tableOf(frame))
  return {
    start: (code, box) => write(code)`
      unroll axis of 0..${dimension} {
        f64[${frame} + ${parts.centre} + 8 * axis] = f64[${box} + 8 * axis]
        const half = f64[${box} + 24 + 8 * axis]
        const size[axis] = ${periodic} ? half + f64[${walk} + ${walkNumbers.lengths} + 8 * axis] : half
      }
      f64[${frame} + ${parts.margin}] = max(axis of 0..${dimension}: size[axis]) * ${loss}`,
    add: (code, place, end) => write(code)`
      let leaf = ${sourceBlocks} + ${place} * ${nodeBytes / blockPoints}
      unroll axis of 0..${dimension} {
        var apart = f64[leaf + 8 * axis] - f64[${frame} + ${parts.centre} + 8 * axis]
        if ${periodic} { apart = ${imageOf}(apart, axis) }
        f32[${end} + axis * ${arrayBytes}] = f32(apart)
        f32[${end} + (axis + ${dimension}) * ${arrayBytes}] = f32(f64[leaf + 24 + 8 * axis] * ${wider})
      }
      i32[${end} + ${2 * dimension * arrayBytes}] = ${place}
      ${end} += 4`,
  }
}

/** The filter from the list to the blocks within reach of one block of targets. */
export interface ListFilter {
  /** The squared reach in float32, widened by the margin for roundings. */
  readonly widened: (code: FunctionBuilder, reach: Node) => Node
  /** Filters the list up to `end` for the box at an address, by its widened squared reach. */
  readonly filter: (code: FunctionBuilder, box: Node, end: Node, reach2: Node) => void
  /** The first places of the blocks that passed the filter, from an address to another. */
  readonly picked: Node
  readonly pickedEnd: Local
}

/** Writes the filter. */
export function filterBlocks(
  code: FunctionBuilder,
  block: Node,
  frame: Node,
  { writer, dimension, periodic }: BlockListOptions,
): ListFilter {
  const walk = writer.slot(code, block, 'walk')
  const list = code.let('i32', 'listed', listedFrom(frame))
  const places = 2 * dimension * arrayBytes
  const boxes = Array.from({ length: periodic ? dimension : 0 }, (_, axis) =>
    aroundOf(walk, axis, (x) => code.let('v128', 'around', value(code)`f32x4(f32(${x} as f64))`)),
  )
  const picked = code.let('i32', 'picked', plus(frame, pickedAt(dimension)))
  const pickedEnd = code.local('i32', 'pickedEnd')
  const imageOf = (_: FunctionBuilder, apart: Node, axis: number) => toNearest('f32x4', apart, boxes[axis])
  const append = (code: FunctionBuilder, end: Node, marked: Node, places: Node) =>
    appendMarked(code, tableOf(frame), 0, end, marked, [places])
  return {
    picked,
    pickedEnd,
    widened: (code, reach) => value(code)`
      let wide = f32(${reach} as f64 * ${wider} + f64[${frame} + ${parts.margin}])
      wide * wide`,
    filter: (code, box, end, reach2) => write(code)`
      const imageOf: f32x4 = ${imageOf}
      const gapOf: f32x4 = ${gapOf}
      unroll axis of 0..${dimension} {
        let centre[axis] = f32x4(f32(f64[${box} + 8 * axis] - f64[${frame} + ${parts.centre} + 8 * axis]))
        let half[axis] = f32x4(f32(f64[${box} + 24 + 8 * axis] * ${wider}))
      }
      let within = f32x4(${reach2})
      // The lanes past the end get a place of -1.
      v128[${end} + ${places}] = i32x4(-1)
      ${pickedEnd} = ${picked}
      for from in ${list}..${end} step 16 {
        unroll axis of 0..${dimension} {
          let apart[axis] = v128[from + axis * ${arrayBytes}] as f32x4 - centre[axis]
          const halves[axis] = v128[from + (axis + ${dimension}) * ${arrayBytes}] as f32x4 + half[axis]
        }
        let first = v128[from + ${places}] as i32x4
        const none = i32x4.lt_s(first, i32x4(0))
        unroll axis of 0..${dimension} { let gap[axis] = gapOf(imageOf(apart[axis], axis), halves[axis]) }
        const beyond = sum(axis of 0..${dimension}: gap[axis] * gap[axis]) > within
        ${append}(${pickedEnd}, i32x4.bitmask(beyond | none) ^ 15, first)
      }`,
  }
}
