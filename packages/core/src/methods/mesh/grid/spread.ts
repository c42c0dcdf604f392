/**
 * Points to a grid in a periodic box, and a grid to points.
 *
 * The rows of a grid along z have a margin beyond the box, as wide as the window less one point. So the window of a point lies in one
 * piece of each row. Points are visited in the order of their rows, which keeps the grid in the caches.
 *
 * @module
 */
import type { GridWindow } from '../../../contract/backend.ts'
import type { FloatArray } from '../../../ground/checks.ts'
import { windowAt } from './window.ts'

export interface Box {
  /** Of the points. In a plane, they have coordinates along x and z. */
  readonly dimension: 2 | 3
  /** Edges of the box. */
  readonly lengths: readonly [number, number, number]
  /** Grid points along each edge. */
  readonly sizes: readonly [number, number, number]
}

/** Numbers in a row along z, with the margin. */
export const pitchOf = ({ sizes }: Pick<Box, 'sizes'>, { width }: Pick<GridWindow, 'width'>): number =>
  sizes[2] + width - 1

/** The place of a coordinate in grid points, for points outside the box by any distance. */
function placeIn(x: number, length: number, size: number): number {
  const share = x / length
  return (share - Math.floor(share)) * size
}

/** The window around a point: its values along each axis, and the beginnings of its rows. */
class Around {
  readonly x: Float64Array
  readonly y: Float64Array
  readonly z: Float64Array
  readonly rowsX: Int32Array
  readonly rowsY: Int32Array
  /** The first place along z. */
  first = 0
  readonly #pitch: number

  constructor(
    readonly box: Box,
    readonly window: GridWindow,
  ) {
    const { width } = window
    this.x = new Float64Array(width)
    // Without an extent along y, the window is 1 in the only row.
    this.y = new Float64Array(box.dimension === 2 ? 1 : width).fill(1)
    this.z = new Float64Array(width)
    this.rowsX = new Int32Array(width)
    this.rowsY = new Int32Array(this.y.length)
    this.#pitch = pitchOf(box, window)
  }

  at(positions: FloatArray, point: number): void {
    const { box, window } = this
    const [nx, ny, nz] = box.sizes
    const { width } = window
    const [at, last] = [box.dimension * point, box.dimension * (point + 1) - 1]
    const x = windowAt(window, placeIn(positions[at] as number, box.lengths[0], nx), nx, this.x)
    this.first = windowAt(window, placeIn(positions[last] as number, box.lengths[2], nz), nz, this.z)
    // A grid is wider than the window.
    for (let a = 0; a < width; a++) this.rowsX[a] = (x + a < nx ? x + a : x + a - nx) * ny * this.#pitch
    if (box.dimension === 2) return
    const y = windowAt(window, placeIn(positions[at + 1] as number, box.lengths[1], ny), ny, this.y)
    for (let a = 0; a < width; a++) this.rowsY[a] = (y + a < ny ? y + a : y + a - ny) * this.#pitch
  }
}

/** The points in the order of their rows. */
function byRows({ dimension, lengths, sizes }: Box, positions: FloatArray): Uint32Array {
  const [nx, ny] = sizes
  const count = positions.length / dimension
  const rows = new Uint32Array(count)
  const starts = new Uint32Array(nx * ny + 2)
  for (let p = 0; p < count; p++) {
    const x = Math.floor(placeIn(positions[dimension * p] as number, lengths[0], nx)) % nx
    const y = dimension === 2 ? 0 : Math.floor(placeIn(positions[3 * p + 1] as number, lengths[1], ny)) % ny
    const row = x * ny + y
    rows[p] = row
    starts[row + 2] = (starts[row + 2] as number) + 1
  }
  for (let row = 2; row < starts.length; row++) starts[row] = (starts[row] as number) + (starts[row - 1] as number)
  const order = new Uint32Array(count)
  for (let p = 0; p < count; p++) {
    const row = (rows[p] as number) + 1
    const at = starts[row] as number
    order[at] = p
    starts[row] = at + 1
  }
  return order
}

/** A grid with each point's weight times its window. The margins hold nothing of their own. */
export function spread(box: Box, window: GridWindow, positions: FloatArray, weights: FloatArray): Float64Array {
  const [nx, ny, nz] = box.sizes
  const pitch = pitchOf(box, window)
  const grid = new Float64Array(nx * ny * pitch)
  const around = new Around(box, window)
  const { x, y, z, rowsX, rowsY } = around
  const { width } = window
  for (const p of byRows(box, positions)) {
    const weight = weights[p] as number
    if (weight === 0) continue
    around.at(positions, p)
    const { first } = around
    for (let a = 0; a < width; a++) {
      const along = weight * (x[a] as number)
      const rows = (rowsX[a] as number) + first
      for (let b = 0; b < y.length; b++) {
        const value = along * (y[b] as number)
        const row = rows + (rowsY[b] as number)
        for (let c = 0; c < width; c++) grid[row + c] = (grid[row + c] as number) + value * (z[c] as number)
      }
    }
  }
  for (let row = 0; row < grid.length; row += pitch)
    for (let c = nz; c < pitch; c++) {
      const at = row + (c % nz)
      grid[at] = (grid[at] as number) + (grid[row + c] as number)
    }
  return grid
}

/** Fills the margins of fields, which have `count` numbers at each place. */
export function fillMargins(box: Box, window: GridWindow, fields: Float64Array, count: number): void {
  const nz = box.sizes[2] * count
  const pitch = pitchOf(box, window) * count
  for (let row = 0; row < fields.length; row += pitch)
    for (let c = nz; c < pitch; c++) fields[row + c] = fields[row + (c % nz)] as number
}

/**
 * The values of fields at points: for each point, the sum of the grid's numbers times the point's window.
 *
 * @param fields the numbers of all fields at a grid point are side by side; their margins are filled
 */
export function gather(
  box: Box,
  window: GridWindow,
  positions: FloatArray,
  fields: Float64Array,
  count: number,
): Float64Array {
  const found = new Float64Array((positions.length / box.dimension) * count)
  const around = new Around(box, window)
  const sum = count === 1 ? sumOne : count === 3 ? sumThree : sumAny
  for (const p of byRows(box, positions)) {
    around.at(positions, p)
    sum(around, fields, found, p * count, count)
  }
  return found
}

/** Adds up fields around a point, and writes the sums from a place on. */
type Summing = (around: Around, fields: Float64Array, found: Float64Array, at: number, count: number) => void

const sumOne: Summing = ({ window: { width }, x, y, z, rowsX, rowsY, first }, fields, found, at) => {
  let total = 0
  for (let a = 0; a < width; a++) {
    let plane = 0
    for (let b = 0; b < y.length; b++) {
      const row = (rowsX[a] as number) + (rowsY[b] as number) + first
      let line = 0
      for (let c = 0; c < width; c++) line += (z[c] as number) * (fields[row + c] as number)
      plane += line * (y[b] as number)
    }
    total += plane * (x[a] as number)
  }
  found[at] = total
}

const sumThree: Summing = ({ window: { width }, x, y, z, rowsX, rowsY, first }, fields, found, at) => {
  let [r, s, t] = [0, 0, 0]
  for (let a = 0; a < width; a++)
    for (let b = 0; b < y.length; b++) {
      let n = 3 * ((rowsX[a] as number) + (rowsY[b] as number) + first)
      let u = 0
      let v = 0
      let w = 0
      for (let c = 0; c < width; c++, n += 3) {
        const share = z[c] as number
        u += share * (fields[n] as number)
        v += share * (fields[n + 1] as number)
        w += share * (fields[n + 2] as number)
      }
      const value = (x[a] as number) * (y[b] as number)
      r += value * u
      s += value * v
      t += value * w
    }
  found[at] = r
  found[at + 1] = s
  found[at + 2] = t
}

const sumAny: Summing = ({ window: { width }, x, y, z, rowsX, rowsY, first }, fields, found, at, count) => {
  for (let f = 0; f < count; f++) {
    let total = 0
    for (let a = 0; a < width; a++)
      for (let b = 0; b < y.length; b++) {
        const row = (rowsX[a] as number) + (rowsY[b] as number) + first
        let line = 0
        for (let c = 0; c < width; c++) line += (z[c] as number) * (fields[(row + c) * count + f] as number)
        total += line * (x[a] as number) * (y[b] as number)
      }
    found[at + f] = total
  }
}
