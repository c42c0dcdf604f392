/**
 * Neighbour lists of a group of blocks: where they are in the scratch of a thread, and how registers of sources are appended
 * to them.
 *
 * @module
 */
import { blockPoints } from '@manybody/core/backend'
import { mostSources } from '../../design/list-layout.ts'
import type { ModuleWriter } from '../expressions/module-writer.ts'
import { value, write } from '../language/kernel.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, i64, type Local, type Node } from '../wasm/nodes.ts'
import type { CoordinateOptions } from './coordinates.ts'

export interface ListOptions extends CoordinateOptions {
  readonly dimension: number
  readonly periodic: boolean
  /** Whether sources that need no images go to separate lists. */
  readonly apart: boolean
  /** Whether pairs of targets of one unit are met once. Their sources then go to separate lists, too. */
  readonly once: boolean
  /** Whether each pair is looked for as far as the sizes of its points. */
  readonly sized: boolean
}

/** The most points of a node that is gathered without opening it. */
export const nodeSources = 32
/** Bytes of one array of a list. Registers are stored whole, also at the end. */
export const arrayBytes: number = (mostSources + 8) * 4

/** Bytes of the table that moves the marked lanes of a register to its front. */
export const tableBytes: number = 256

/** Where the parts are in memory, from the address of the frame. */
export const parts: {
  readonly [Name in
    | 'centre'
    | 'reach2'
    | 'onceFrom'
    | 'onceCount'
    | 'slack'
    | 'loose'
    | 'most'
    | 'bounds'
    | 'iota'
    | 'table'
    | 'targets'
    | 'stream'
    | 'streamEnd'
    | 'needed'
    | 'ownFrom'
    | 'lists']: number
} = {
  centre: 0,
  reach2: 24,
  onceFrom: 28,
  onceCount: 32,
  slack: 36,
  loose: 40,
  most: 44,
  bounds: 56,
  iota: 80,
  table: 96,
  targets: 96 + tableBytes,
  stream: 192 + tableBytes,
  streamEnd: 196 + tableBytes,
  needed: 200 + tableBytes,
  ownFrom: 204 + tableBytes,
  lists: 208 + tableBytes,
}

/** The number of the array of places in a list. Displacements and sizes come before it. */
export const placesIn = ({ dimension, sized }: Pick<ListOptions, 'dimension' | 'sized'>): number =>
  dimension + Number(sized)

const listBytes = (options: ListOptions) => (placesIn(options) + 1) * arrayBytes

/** Bytes of memory for the frame, the group's lists, the filtered list of a block, and the reaches of its targets. */
export const listBytesOf = (options: ListOptions): number => reachesAt(options) + (options.sized ? 4 * blockPoints : 0)
/** The address, from the frame on, of the displacements and places of a block's filtered list. */
export const pickedAt = (options: ListOptions): number => parts.lists + listCount(options) * listBytes(options)
/** The address of the reaches of the targets of a block, which the size of a source adds to. */
export const reachesAt = (options: ListOptions): number => pickedAt(options) + listBytes(options)

const listCount = ({ apart, once }: ListOptions): number => (apart ? 2 : 1) * (once ? 2 : 1)

/** The most blocks of targets that walk together. */
export const groupBlocks = 16

/** Writes two 32-bit words. */
const words = (code: FunctionBuilder, offset: number, address: Node, low: number, high: number) =>
  code.emit(at('i64.store', offset, address, i64(BigInt(low) | (BigInt(high) << 32n))))

/** Writes 0, 1, 2, 3. */
export function writeIota(code: FunctionBuilder, address: Node): void {
  words(code, 0, address, 0, 1)
  words(code, 8, address, 2, 3)
}

/** Writes the table that moves the marked lanes of a register to its front. */
export function writeTable(code: FunctionBuilder, address: Node): void {
  for (let mask = 0; mask < 16; mask++) {
    const lanes = [0, 1, 2, 3].filter((lane) => mask & (1 << lane))
    const bytes = (n: number) => 0x03020100 + 0x04040404 * (lanes[n] ?? 0)
    words(code, 16 * mask, address, bytes(0), bytes(1))
    words(code, 16 * mask + 8, address, bytes(2), bytes(3))
  }
}

/** Appends the marked lanes of registers to arrays that are `apart` bytes from each other. The end of the first is a variable. */
export const appendMarked = (
  code: FunctionBuilder,
  table: Node,
  apart: number,
  end: Local | Node,
  marked: Node,
  registers: readonly Node[],
): void => write(code)`
  const registers: i8x16 = ${registers}
  let mask = ${marked}
  let front = v128[${table} + mask * 16]
  unroll n of 0..${registers.length} { v128[${end} + n * ${apart}] = i8x16.swizzle(registers[n], front) }
  ${end} += i32.popcnt(mask) * 4`

/** Number of marked lanes of the last register that are past the end of a list. */
export const markedPast = (code: FunctionBuilder, end: Node, mask: Node, next: Node): Node =>
  value(code)`i32.popcnt(${mask} >> (4 - (${next} - ${end} >> 2)))`

/**
 * The first addresses of the lists. The first list is for sources that may need images, or for all sources; the second for
 * sources that need none. If pairs inside a unit are met once, the same kinds of lists follow for those.
 */
export function listsOf(code: FunctionBuilder, frame: Node, options: ListOptions): readonly Node[] {
  return Array.from({ length: listCount(options) }, (_, n) =>
    code.let('i32', 'gathered', value(code)`${frame} + ${parts.lists + n * listBytes(options)}`),
  )
}

/** The square of how far sources are looked for: the reach of targets and the size of a source, at most that of any pair. */
export const squareOfReach = (code: FunctionBuilder, sizes: Node, own: Node | Local, most: Node | Local): Node =>
  value(code)`
    const size: f32x4 = ${sizes}
    let reach = pmin(size + ${own}, ${most})
    reach * reach`

/** A number in all lanes. */
export const splatOf = (code: FunctionBuilder, writer: ModuleWriter, number: Node): Node => value(code)`
  lanes real = ${writer.vector.type}
  scalar number = ${writer.vector.number}
  const given: f64 = ${number}
  real(number(given))`

/**
 * The gap between points and a box along an axis, from the displacements of the points from its centre.
 *
 * A NaN displacement leaves a NaN gap: the pseudo-maximum keeps its first operand.
 */
export const gapOf = (code: FunctionBuilder, apart: Node, half: Node): Node => value(code)`
  const apart: f32x4 = ${apart}
  const zero = f32x4(0)
  // V8 makes the mask of an absolute value anew each time.
  const withoutSign = i32x4(0x7fffffff) as f32x4
  pmax((apart & withoutSign) - ${half}, zero)`
