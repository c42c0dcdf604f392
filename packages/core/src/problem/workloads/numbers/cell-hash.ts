/**
 * Finds which of many points may be within reach of another: points that touch the same cell of a grid, by a hash table of bits. A point
 * touches the cell that it is in, and the cells that its reach extends into.
 *
 * Points near the origin reach less far, because rounding changes them less. So each octave of sizes has a grid of its own. A point
 * just below an octave touches the grid of that octave, too.
 *
 * Two cells may share a bit, so points may remain that are far from each other; two within reach always remain.
 *
 * @module
 */
import type { FloatArray } from '../../../ground/checks.ts'

interface Cells {
  /** That of any point. */
  readonly reach: number
  /** That of a point, by its size: its largest coordinate. */
  readonly reachPerSize: number
  /** The largest size. */
  readonly largest: number
  /** The edge of a cell in reaches, at least three. A point then touches at most two cells along an axis. */
  readonly wide: number
  /** Rounds have different hashes. */
  readonly round: number
  /** The number of bits in the table less one; a power of two less one. */
  readonly mask: number
  readonly dimension: number
  /** Lengths of a periodic box, if any; 0 or none along an axis that does not repeat. */
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

/** In the last octave, hardly any points are within reach of others. */
const mostOctaves = 12
/** Smaller numbers are rounded as this one is. */
const leastNormal = 2 ** -126

/** The cells of each octave. */
interface Octaves {
  /** Cells for a unit of length along each axis, octave by octave. */
  readonly scales: Float64Array
  /** Points of the next octave that are larger are within reach of this one. */
  readonly below: Float64Array
  /** The numbers of cells of a periodic box along each axis, or 0. */
  readonly counts: readonly [number, number, number]
}

function octavesOf({ reach, reachPerSize, largest, wide, boxes }: Cells): Octaves {
  // Points on both sides of a face of a box need not have the same size.
  const octaves = boxes.length > 0 || reachPerSize > 0.2 ? 1 : mostOctaves
  const scales = new Float64Array(3 * octaves)
  const below = new Float64Array(octaves)
  for (let octave = 0; octave < octaves; octave++) {
    const size = largest * 2 ** -octave
    const within = Math.min(reach, reachPerSize * Math.max(size, leastNormal))
    below[octave] = size / 2 - within
    scales.fill(1 / Math.max(wide * within, largest * 2 ** -40), 3 * octave, 3 * octave + 3)
  }
  const counts = [0, 1, 2].map((axis) => {
    const box = boxes[axis]
    if (!box) return 0
    const count = Math.max(1, Math.floor(box * (scales[axis] as number)))
    scales[axis] = count / box
    return count
  }) as [number, number, number]
  return { scales, below, counts }
}

function touchedBy({ positions, count, points }: SomePoints, grid: Cells): Touched {
  const { dimension, round, mask, wide, largest } = grid
  const { scales, below, counts } = octavesOf(grid)
  const last = below.length - 1
  // Places have rounding errors of up to 2^-12 cells.
  const margin = 1 / wide + 2 ** -12
  // Where cells start, so that points with round coordinates do not lie on a face.
  const [shiftX, shiftY, shiftZ] = [0, 1, 2].map((axis) => 0.377 + 0.618 * (axis + 3 * round)) as [
    number,
    number,
    number,
  ]
  const [countX, countY, countZ] = counts
  // Of 31 bits, because larger integers take long to convert.
  const toWord = (2 ** 31 - 1) / largest
  const own = new Int32Array(count)
  const further: number[] = []
  const places: number[] = []

  for (let p = 0; p < count; p++) {
    const n = dimension * (points ? (points[p] as number) : p)
    const x = positions[n] as number
    const y = dimension >= 2 ? (positions[n + 1] as number) : 0
    const z = dimension === 3 ? (positions[n + 2] as number) : 0
    const size = Math.max(Math.abs(x), Math.abs(y), Math.abs(z))
    const octave = Math.min(Math.clz32(size * toWord) - 1, last)
    // Its own octave, and the one above it if that is within reach.
    const least = octave > 0 && size > (below[octave - 1] as number) ? octave - 1 : octave
    for (let one = octave; one >= least; one--) {
      const seed = round * mostOctaves + one
      const placeX = x * (scales[3 * one] as number) + shiftX
      const placeY = y * (scales[3 * one + 1] as number) + shiftY
      const placeZ = z * (scales[3 * one + 2] as number) + shiftZ
      const cellX = Math.floor(placeX)
      const cellY = Math.floor(placeY)
      const cellZ = Math.floor(placeZ)
      const bit =
        mixed(mixed(mixed(seed, wrapped(cellX, countX)), wrapped(cellY, countY)), wrapped(cellZ, countZ)) & mask
      if (one === octave) own[p] = bit
      else {
        further.push(bit)
        places.push(p)
      }
      const stepX = stepTo(placeX - cellX, margin)
      const stepY = dimension >= 2 ? stepTo(placeY - cellY, margin) : 0
      const stepZ = dimension === 3 ? stepTo(placeZ - cellZ, margin) : 0
      if (stepX === 0 && stepY === 0 && stepZ === 0) continue
      // One bit for each axis along which the other cell is taken.
      for (let other = 1; other < 8; other++) {
        if ((other & 1 && stepX === 0) || (other & 2 && stepY === 0) || (other & 4 && stepZ === 0)) continue
        const i = wrapped(other & 1 ? cellX + stepX : cellX, countX)
        const j = wrapped(other & 2 ? cellY + stepY : cellY, countY)
        const k = wrapped(other & 4 ? cellZ + stepZ : cellZ, countZ)
        further.push(mixed(mixed(mixed(seed, i), j), k) & mask)
        places.push(p)
      }
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
function stepTo(inside: number, margin: number): number {
  if (inside <= margin) return -1
  return inside >= 1 - margin ? 1 : 0
}

/** The cell in a periodic box of so many, or the same cell without one. */
const wrapped = (cell: number, count: number): number => (count === 0 ? cell : cell - count * Math.floor(cell / count))

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
  for (let k = 0; k < places.length; k++) if (isSet(table, (further[k] as number) & mask)) also[places[k] as number] = 1
  const found = new Uint32Array(own.length)
  let count = 0
  for (let k = 0; k < own.length; k++)
    if (also[k] === 1 || isSet(table, (own[k] as number) & mask)) found[count++] = points ? (points[k] as number) : k
  return { positions, count, points: found.subarray(0, count) }
}
