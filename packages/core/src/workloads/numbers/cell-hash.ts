/**
 * Which of many points may be within reach of another: those that touch one cell of a grid, by a hash table of bits. A point touches the
 * cell that it is in, and those that its reach extends into.
 *
 * Two cells may share a bit, so points may remain that are far from each other; two within reach always remain.
 *
 * @module
 */
import type { FloatArray } from '../../checks.ts'

interface Cells {
  readonly reach: number
  /** The edge of a cell, at least three times the reach. A point then touches at most two cells along an axis. */
  readonly edge: number
  /** Rounds have different hashes. */
  readonly round: number
  /** The number of bits in the table less one; a power of two less one. */
  readonly mask: number
  readonly dimension: number
  /** Lengths of a periodic box, if any. */
  readonly boxes: readonly number[]
}

/** Some points of a set, or all of them without a list. */
export interface SomePoints {
  readonly positions: FloatArray
  readonly count: number
  readonly points?: Uint32Array
}

/** The points that touch a cell that another touches. */
export function meeting(set: SomePoints, grid: Cells): SomePoints {
  const { mask } = grid
  const touched = touchedBy(set, grid)
  // Few cells are touched again, so a table that stays in a cache holds them.
  const seen = tableFor(mask)
  const again = tableFor(mask >>> 4)
  for (const bits of [touched.own, touched.further])
    for (let k = 0; k < bits.length; k++) {
      const bit = bits[k] as number
      if (isSet(seen, bit)) mark(again, bit & (mask >>> 4))
      else mark(seen, bit)
    }
  return touching(set, touched, again, mask >>> 4)
}

/** The points of each set that touch a cell that a point of the other touches. */
export function meetingOf(
  targets: SomePoints,
  sources: SomePoints,
  grid: Cells,
): readonly [targets: SomePoints, sources: SomePoints] {
  const { mask } = grid
  const [here, there] = [touchedBy(targets, grid), touchedBy(sources, grid)]
  return [touching(targets, here, marked(there, mask), mask), touching(sources, there, marked(here, mask), mask)]
}

/** The bits of cells: of the cell of each point, and of further cells with the places of their points in the list. */
interface Touched {
  readonly own: Int32Array
  readonly further: readonly number[]
  readonly places: readonly number[]
}

const tableFor = (mask: number): Int32Array => new Int32Array((mask + 1) / 32)

/** The cells along an axis. */
interface Axis {
  readonly scale: number
  /** Where cells start, so that points with round coordinates do not lie on a face. */
  readonly shift: number
  /** The reach in edges of a cell, and a little more for rounding. */
  readonly margin: number
  /** The number of cells of a periodic axis, or 0. */
  readonly count: number
}

function axisOf({ reach, edge, round, boxes }: Cells, axis: number): Axis {
  const box = boxes[axis]
  const count = box === undefined ? 0 : Math.max(1, Math.floor(box / edge))
  const scale = box === undefined ? 1 / edge : count / box
  return { scale, shift: 0.377 + 0.618 * (axis + 3 * round), margin: reach * scale + 2 ** -12, count }
}

function touchedBy({ positions, count, points }: SomePoints, grid: Cells): Touched {
  const { dimension, round, mask } = grid
  const own = new Int32Array(count)
  const further: number[] = []
  const places: number[] = []
  const x = axisOf(grid, 0)
  const y = axisOf(grid, 1)
  const z = axisOf(grid, 2)
  const bitOf = (i: number, j: number, k: number) => {
    const h = mixed(mixed(mixed(round, i), j), k)
    return (h ^ (h >>> 16)) & mask
  }
  for (let p = 0; p < count; p++) {
    const n = dimension * (points ? (points[p] as number) : p)
    const placeX = (positions[n] as number) * x.scale + x.shift
    const placeY = (positions[n + 1] as number) * y.scale + y.shift
    const placeZ = dimension === 3 ? (positions[n + 2] as number) * z.scale + z.shift : 0.5
    const cellX = Math.floor(placeX)
    const cellY = Math.floor(placeY)
    const cellZ = Math.floor(placeZ)
    own[p] = bitOf(wrapped(cellX, x), wrapped(cellY, y), wrapped(cellZ, z))
    const stepX = stepTo(placeX - cellX, x)
    const stepY = stepTo(placeY - cellY, y)
    const stepZ = stepTo(placeZ - cellZ, z)
    // One bit for each axis along which the other cell is taken.
    for (let other = 1; other < 8; other++) {
      if (stepX === 0 && stepY === 0 && stepZ === 0) break
      if ((other & 1 && stepX === 0) || (other & 2 && stepY === 0) || (other & 4 && stepZ === 0)) continue
      const i = wrapped(other & 1 ? cellX + stepX : cellX, x)
      const j = wrapped(other & 2 ? cellY + stepY : cellY, y)
      const k = wrapped(other & 4 ? cellZ + stepZ : cellZ, z)
      further.push(bitOf(i, j, k))
      places.push(p)
    }
  }
  return { own, further, places }
}

/** A step of MurmurHash3 (A. Appleby, public domain). It spreads the low bits, and the next step the high ones. */
function mixed(hash: number, number: number): number {
  const h = Math.imul(hash ^ number, 0xcc9e2d51)
  return Math.imul(h ^ (h >>> 15), 0x1b873593)
}

/** The way to the other cell that a point touches along an axis; 0 if there is none. @param inside the place of the point in its cell */
function stepTo(inside: number, { margin }: Axis): number {
  if (inside <= margin) return -1
  return inside >= 1 - margin ? 1 : 0
}

const wrapped = (cell: number, { count }: Axis): number =>
  count === 0 ? cell : cell - count * Math.floor(cell / count)

const isSet = (table: Int32Array, bit: number): boolean => ((table[bit >>> 5] as number) & (1 << (bit & 31))) !== 0

function mark(table: Int32Array, bit: number): void {
  table[bit >>> 5] = (table[bit >>> 5] as number) | (1 << (bit & 31))
}

function marked({ own, further }: Touched, mask: number): Int32Array {
  const table = tableFor(mask)
  for (let k = 0; k < own.length; k++) mark(table, own[k] as number)
  for (const bit of further) mark(table, bit)
  return table
}

/** The points that touch a marked cell. @param mask of the table */
function touching({ positions, points }: SomePoints, touched: Touched, table: Int32Array, mask: number): SomePoints {
  const { own, further, places } = touched
  const also = new Uint8Array(own.length)
  for (const [k, place] of places.entries()) if (isSet(table, (further[k] as number) & mask)) also[place] = 1
  const found: number[] = []
  for (let k = 0; k < own.length; k++)
    if (also[k] === 1 || isSet(table, (own[k] as number) & mask)) found.push(points ? (points[k] as number) : k)
  return { positions, count: found.length, points: Uint32Array.from(found) }
}
