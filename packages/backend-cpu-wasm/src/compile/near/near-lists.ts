import { mostSources } from '../../design/list-layout.ts'
import type { ModuleWriter } from '../expressions/module-writer.ts'
import type { PointValues } from '../loops/points.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, get, i32, i64, type Local, type Node, op, plus, set, times } from '../wasm/nodes.ts'

export interface NearOptions {
  readonly writer: ModuleWriter
  readonly targets: PointValues
  readonly sources: PointValues
  readonly dimension: number
  readonly periodic: boolean
  /** Whether targets and sources are one set. */
  readonly sameSet: boolean
  /** Whether sources that need no images go to separate lists. */
  readonly apart: boolean
  /** Whether pairs of targets of one unit are met once. Their sources then go to separate lists, too. */
  readonly once: boolean
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
    | 'loose'
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
  loose: 40,
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

const list = (dimension: number) => (dimension + 1) * arrayBytes

/** Bytes of memory for the frame, the group's lists, and the filtered list of a block. */
export const nearBytes = (options: NearOptions): number => pickedAt(options) + list(options.dimension)
/** The address, from the frame on, of the displacements and places of a block's filtered list. */
export const pickedAt = (options: NearOptions): number => parts.lists + listCount(options) * list(options.dimension)

const listCount = ({ apart, once }: NearOptions): number => (apart ? 2 : 1) * (once ? 2 : 1)

/** The most blocks of targets that walk together. */
export const groupBlocks = 16
export const axesOf = (dimension: number): readonly number[] => [0, 1, 2].slice(0, dimension)

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

/** Appends the marked lanes of registers to arrays that are `apart` bytes from each other. */
export function appendMarked(
  code: FunctionBuilder,
  table: Node,
  apart: number,
  end: Local,
  marked: Node,
  registers: readonly Node[],
): void {
  const mask = code.let('i32', 'mask', marked)
  const front = code.let('v128', 'front', at('v128.load', 0, plus(table, times(mask, 16))))
  for (const [n, register] of registers.entries())
    code.emit(at('v128.store', n * apart, get(end), op('i8x16.swizzle', register, front)))
  code.emit(set(end, plus(get(end), times(op('i32.popcnt', mask), 4))))
}

/** Number of marked lanes of the last register that are past the end of a list. */
export const markedPast = (end: Node, mask: Node, next: Node): Node => {
  const spare = op('i32.shr_u', op('i32.sub', next, end), i32(2))
  return op('i32.popcnt', op('i32.shr_u', mask, op('i32.sub', i32(4), spare)))
}

/**
 * The first addresses of the lists. The first list is for sources that may need images, or for all sources; the second for
 * sources that need none. If pairs inside a unit are met once, the same kinds of lists follow for those.
 */
export function listsOf(code: FunctionBuilder, frame: Node, options: NearOptions): readonly Node[] {
  return Array.from({ length: listCount(options) }, (_, n) =>
    code.let('i32', 'gathered', plus(frame, parts.lists + n * list(options.dimension))),
  )
}

/** A number in all lanes. */
export const splatOf = ({ vector }: ModuleWriter, number: Node): Node =>
  vector.bytes === 4 ? op('f32x4.splat', op('f32.demote_f64', number)) : op('f64x2.splat', number)

/** The squared gap between points and a box with these centres and half edges. */
export function gap2(
  code: FunctionBuilder,
  along: readonly (readonly [point: Node, centre: Node | undefined, half: Node])[],
): Node {
  const zero = code.constant('f32x4', 0)
  // V8 makes the mask of an absolute value anew each time.
  const withoutSign = code.constant('i32x4', 0x7fffffff)
  return along
    .map(([point, centre, half]) => {
      const apart = op('v128.and', centre ? op('f32x4.sub', point, centre) : point, withoutSign)
      // A NaN gap stays NaN: the pseudo-maximum keeps its first operand.
      const gap = code.let('v128', 'gap', op('f32x4.pmax', op('f32x4.sub', apart, half), zero))
      return op('f32x4.mul', gap, gap)
    })
    .reduce((a, b) => op('f32x4.add', a, b))
}
