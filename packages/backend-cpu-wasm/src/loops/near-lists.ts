/**
 * The lists of sources near a few blocks of targets: their layout in memory, and what gathering and picking share.
 *
 * Coordinates are kept as displacements from the centre of the blocks, to the nearest image, in float32. The rounding is far
 * smaller than the margin by which the reach exceeds the cutoff, so no source is lost that the loop would count. Sources that
 * every target meets without an image are in a list apart from those that may need images.
 *
 * @module
 */
import type { ModuleWriter } from '../expressions/module-writer.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, i64, type Node, op, plus } from '../wasm/nodes.ts'
import type { PointValues } from './points.ts'

export interface NearOptions {
  readonly writer: ModuleWriter
  readonly targets: PointValues
  readonly sources: PointValues
  readonly dimension: number
  readonly periodic: boolean
  /** Whether targets and sources are one set. */
  readonly sameSet: boolean
  /** Whether sources that need no images are listed apart. */
  readonly apart: boolean
  /** Whether pairs of targets of one unit are met once. Then their sources are listed apart, too. */
  readonly once: boolean
}

/** The most sources in a list. */
export const mostSources = 1024
/** The most points of a node that is gathered without opening it. */
export const nodeSources = 32
/** Bytes of one array of a list. Registers are stored whole, also at the end. */
export const arrayBytes: number = (mostSources + 8) * 4

/** Where the parts are in memory, from the address of the frame. */
export const parts = {
  centre: 0,
  reach2: 24,
  onceFrom: 28,
  onceCount: 32,
  loose: 40,
  bounds: 56,
  iota: 80,
  table: 96,
  lists: 352,
} as const

const list = (dimension: number) => (dimension + 1) * arrayBytes

/** Bytes of memory for the frame and the lists. */
export const nearBytes = (options: NearOptions): number => parts.lists + listCount(options) * list(options.dimension)

const listCount = ({ apart, once }: NearOptions): number => (apart ? 2 : 1) * (once ? 2 : 1)

/** The most places that a block may pick from a list. */
export const mostPicked: number = mostSources + 8

export const axesOf = (dimension: number): readonly number[] => [0, 1, 2].slice(0, dimension)

/** Writes the table by which the marked lanes of a register are moved to its front. */
export function writeTable(f: FunctionBuilder, frame: Node): void {
  const word = (offset: number, low: number, high: number) =>
    f.emit(at('i64.store', offset, frame, i64(BigInt(low) | (BigInt(high) << 32n))))
  word(parts.iota, 0, 1)
  word(parts.iota + 8, 2, 3)
  for (let mask = 0; mask < 16; mask++) {
    const lanes = [0, 1, 2, 3].filter((lane) => mask & (1 << lane))
    const bytes = (n: number) => 0x03020100 + 0x04040404 * (lanes[n] ?? 0)
    word(parts.table + 16 * mask, bytes(0), bytes(1))
    word(parts.table + 16 * mask + 8, bytes(2), bytes(3))
  }
}

/**
 * The first addresses of the lists: of sources that may need images, or of all; then of those that need none. If some pairs are
 * met once, their sources have lists of the same kinds, which follow.
 */
export function listsOf(f: FunctionBuilder, frame: Node, options: NearOptions): readonly Node[] {
  return Array.from({ length: listCount(options) }, (_, n) =>
    f.let('i32', 'gathered', plus(frame, parts.lists + n * list(options.dimension))),
  )
}

/** The square of the gap between points and boxes, whose centres and half edges are given. */
export function gap2(
  f: FunctionBuilder,
  along: readonly (readonly [point: Node, centre: Node | undefined, half: Node])[],
): Node {
  const zero = f.constant('f32x4', 0)
  return along
    .map(([point, centre, half]) => {
      const apart = op('f32x4.abs', centre ? op('f32x4.sub', point, centre) : point)
      // A gap that is not a number stays so: the pseudo-maximum keeps its first operand.
      const gap = f.let('v128', 'gap', op('f32x4.pmax', op('f32x4.sub', apart, half), zero))
      return op('f32x4.mul', gap, gap)
    })
    .reduce((a, b) => op('f32x4.add', a, b))
}
