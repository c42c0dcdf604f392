/**
 * Points to a grid in a periodic box, and a grid to points.
 *
 * @module
 */
import { spotsOf, type Window } from './window.ts'

export interface Box {
  /** Edges of the box. */
  readonly lengths: readonly [number, number, number]
  /** Grid points along each edge. */
  readonly sizes: readonly [number, number, number]
}

/** The window around a point, along each axis. */
class Spots {
  readonly values: readonly [Float64Array, Float64Array, Float64Array]
  readonly indices: readonly [Int32Array, Int32Array, Int32Array]

  constructor(
    readonly box: Box,
    readonly window: Window,
  ) {
    const { width } = window
    this.values = [new Float64Array(width), new Float64Array(width), new Float64Array(width)]
    this.indices = [new Int32Array(width), new Int32Array(width), new Int32Array(width)]
  }

  /** A point may be outside the box by any distance. */
  at(positions: Float64Array, point: number): void {
    for (let axis = 0; axis < 3; axis++) {
      const x = (positions[3 * point + axis] as number) / (this.box.lengths[axis] as number)
      const size = this.box.sizes[axis] as number
      const values = this.values[axis] as Float64Array
      spotsOf(this.window, (x - Math.floor(x)) * size, size, values, this.indices[axis] as Int32Array)
    }
  }
}

/** A grid with each point's weight times its window. */
export function spread(box: Box, window: Window, positions: Float64Array, weights: Float64Array): Float64Array {
  const [nx, ny, nz] = box.sizes
  const grid = new Float64Array(nx * ny * nz)
  const spots = new Spots(box, window)
  const [wx, wy, wz] = spots.values
  const [ix, iy, iz] = spots.indices
  const { width } = window
  for (let p = 0; p < weights.length; p++) {
    const weight = weights[p] as number
    if (weight === 0) continue
    spots.at(positions, p)
    for (let a = 0; a < width; a++) {
      const along = weight * (wx[a] as number)
      for (let b = 0; b < width; b++) {
        const value = along * (wy[b] as number)
        const row = ((ix[a] as number) * ny + (iy[b] as number)) * nz
        for (let c = 0; c < width; c++) {
          const at = row + (iz[c] as number)
          grid[at] = (grid[at] as number) + value * (wz[c] as number)
        }
      }
    }
  }
  return grid
}

/**
 * The values of fields at points: for each point, the sum of the grid's numbers times the point's window.
 *
 * @param fields the numbers of all fields at a grid point are side by side
 * @param points the numbers of the points; all by default
 */
export function gather(
  box: Box,
  window: Window,
  positions: Float64Array,
  fields: Float64Array,
  count: number,
  points: ArrayLike<number> = { length: positions.length / 3 },
): Float64Array {
  const found = new Float64Array(points.length * count)
  const [, ny, nz] = box.sizes
  const spots = new Spots(box, window)
  const [wx, wy, wz] = spots.values
  const [ix, iy, iz] = spots.indices
  const { width } = window
  const sums = new Float64Array(count)
  for (let p = 0; p < points.length; p++) {
    spots.at(positions, points[p] ?? p)
    sums.fill(0)
    for (let a = 0; a < width; a++)
      for (let b = 0; b < width; b++) {
        const value = (wx[a] as number) * (wy[b] as number)
        const row = ((ix[a] as number) * ny + (iy[b] as number)) * nz
        for (let c = 0; c < width; c++) {
          const share = value * (wz[c] as number)
          const at = (row + (iz[c] as number)) * count
          for (let f = 0; f < count; f++) sums[f] = (sums[f] as number) + share * (fields[at + f] as number)
        }
      }
    found.set(sums, p * count)
  }
  return found
}
