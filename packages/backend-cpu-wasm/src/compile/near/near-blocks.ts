/**
 * The list of blocks of sources near a group of blocks of targets, and the filter of this list for one block of targets.
 *
 * Centres are stored as displacements from the centre of the group, to the nearest image, in float32. Half edges and the reach
 * are widened by more than all of these roundings, so every block that may have a source within reach passes.
 *
 * @module
 */
import { blockPoints, nodeBytes } from '@manybody/core/near'
import { tileSources } from '../folds/least-rows.ts'
import type { BlockPassOptions } from '../loops/target-block.ts'
import { aroundOf, toNearest } from '../ranges/walk.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, get, i32, type Local, type Node, op, plus, set, times } from '../wasm/nodes.ts'
import { appendMarked, axesOf, gap2, tableBytes, writeIota, writeTable } from './near-lists.ts'

/** The most blocks in the list. */
export const mostListed: number = tileSources / blockPoints
/** Bytes of one array. Registers are written whole, also at the end. */
const arrayBytes = (mostListed + 16) * 4
/** Roundings are relative to the reach, to the boxes and to the displacements. Each takes less than a quarter of this. */
export const loss: number = 2 ** -20

/** Where the parts are, from the address of the frame. */
const parts = { centre: 0, margin: 24, iota: 32, table: 48, box: 48 + tableBytes, lists: 144 + tableBytes } as const
const pickedAt = (dimension: number) => parts.lists + (2 * dimension + 1) * arrayBytes

/** Bytes of the frame, with the list of the group and the filtered list of a block. */
export const nearBlocksBytes = (dimension: number): number => pickedAt(dimension) + arrayBytes

const f64 = (value: number): Node => ({ kind: 'constant', type: 'f64', value })

type Options = Pick<BlockPassOptions, 'writer' | 'dimension' | 'periodic'>

/** The address of the first entry of the list. */
export const listedFrom = (frame: Node): Node => plus(frame, parts.lists)

/** The address of the table that moves marked lanes to the front. */
export const tableOf = (frame: Node): Node => plus(frame, parts.table)

/** The address where `pick-sources.ts` keeps the box of a block. */
export const boxOf = (frame: Node): Node => plus(frame, parts.box)

/** The numbers 0, 1, 2 and 3. */
export const iotaOf = (frame: Node): Node => at('v128.load', parts.iota, frame)

/** Writes the list of blocks: `start` takes the address of the box of a group, and `add` appends the block with a first place. */
export function listBlocks(
  code: FunctionBuilder,
  block: Node,
  frame: Node,
  { writer, dimension, periodic }: Options,
): { readonly start: (box: Node) => void; readonly add: (place: Node, end: Local) => void } {
  const walk = writer.slot(code, block, 'walk')
  const sourceBlocks = writer.slot(code, block, 'sourceBlocks')
  const used = axesOf(dimension)
  writeIota(code, plus(frame, parts.iota))
  writeTable(code, tableOf(frame))
  return {
    start(box) {
      const sizes = used.map((axis) => {
        code.emit(at('f64.store', parts.centre + axis * 8, frame, at('f64.load', axis * 8, box)))
        const half = at('f64.load', 24 + axis * 8, box)
        return periodic ? op('f64.add', half, aroundOf(walk, axis).length) : half
      })
      const largest = sizes.reduce((a, b) => op('f64.max', a, b))
      code.emit(at('f64.store', parts.margin, frame, op('f64.mul', largest, f64(loss))))
    },
    add(place, end) {
      const leaf = code.let('i32', 'leaf', plus(sourceBlocks, times(place, nodeBytes / blockPoints)))
      for (const axis of used) {
        const apart = code.local('f64', 'apart')
        const centre = at('f64.load', parts.centre + axis * 8, frame)
        code.emit(set(apart, op('f64.sub', at('f64.load', axis * 8, leaf), centre)))
        if (periodic) {
          code.emit(set(apart, toNearest('f64', get(apart), aroundOf(walk, axis))))
        }
        const half = op('f64.mul', at('f64.load', 24 + axis * 8, leaf), f64(1 + loss))
        code.emit(at('f32.store', axis * arrayBytes, get(end), op('f32.demote_f64', get(apart))))
        code.emit(at('f32.store', (dimension + axis) * arrayBytes, get(end), op('f32.demote_f64', half)))
      }
      code.emit(at('i32.store', 2 * dimension * arrayBytes, get(end), place))
      code.emit(set(end, plus(get(end), 4)))
    },
  }
}

/** Writes the filter from the list to the blocks within reach of one block of targets. */
export function pickBlocks(
  code: FunctionBuilder,
  block: Node,
  frame: Node,
  { writer, dimension, periodic }: Options,
): {
  /** The squared reach in float32, widened by the margin for roundings. */
  readonly widened: (reach: Node) => Node
  /** Filters the list up to `end` for the box at an address, by its widened squared reach. */
  readonly pick: (box: Node, end: Node, reach2: Node) => void
  /** Visits the blocks that passed the filter, by their first places. */
  readonly each: (visit: (place: Node) => void) => void
} {
  const walk = writer.slot(code, block, 'walk')
  const used = axesOf(dimension)
  const list = code.let('i32', 'listed', listedFrom(frame))
  const places = 2 * dimension * arrayBytes
  const splatOf = (name: string, number: Node) =>
    code.let('v128', name, op('f32x4.splat', op('f32.demote_f64', number)))
  const boxes = periodic ? used.map((axis) => aroundOf(walk, axis, (x) => splatOf('around', x))) : []
  const start = code.let('i32', 'picked', plus(frame, pickedAt(dimension)))
  const pickedEnd = code.local('i32', 'pickedEnd')
  return {
    widened(reach) {
      const wide = op('f64.add', op('f64.mul', reach, f64(1 + loss)), at('f64.load', parts.margin, frame))
      const single = code.let('f32', 'wide', op('f32.demote_f64', wide))
      return op('f32.mul', single, single)
    },
    pick(box, end, reach2) {
      const target = used.map((axis) => ({
        centre: splatOf(
          'middle',
          op('f64.sub', at('f64.load', axis * 8, box), at('f64.load', parts.centre + axis * 8, frame)),
        ),
        half: splatOf('halfEdge', op('f64.mul', at('f64.load', 24 + axis * 8, box), f64(1 + loss))),
      }))
      const within = code.let('v128', 'within', op('f32x4.splat', reach2))
      // The lanes past the end get a place of -1.
      code.emit(at('v128.store', places, end, code.constant('i32x4', -1)))
      code.emit(set(pickedEnd, start))
      code.for('from', list, end, 16, (from) => {
        const along = used.map((axis) => {
          const { centre, half } = target[axis] as (typeof target)[number]
          const apart = code.let('v128', 'apart', op('f32x4.sub', at('v128.load', axis * arrayBytes, from), centre))
          const moved = toNearest('f32x4', apart, boxes[axis])
          const halves = op('f32x4.add', at('v128.load', (dimension + axis) * arrayBytes, from), half)
          return [moved, undefined, halves] as const
        })
        const first = code.let('v128', 'first', at('v128.load', places, from))
        const none = op('i32x4.lt_s', first, code.constant('i32x4', 0))
        const beyond = op('v128.or', op('f32x4.gt', gap2(code, along), within), none)
        const near = op('i32.xor', op('i32x4.bitmask', beyond), i32(15))
        appendMarked(code, tableOf(frame), 0, pickedEnd, near, [first])
      })
    },
    each(visit) {
      code.for('entry', start, get(pickedEnd), 4, (entry) => visit(code.let('i32', 'place', at('i32.load', 0, entry))))
    },
  }
}
