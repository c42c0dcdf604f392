/**
 * Positions for the cases: lattices, and random clouds with a wide margin around every yes-or-no decision.
 *
 * A float32 device may round a distance across a cutoff, or a displacement across half a box. No result could be required of such pairs, so
 * clouds contain none.
 *
 * @module
 */
import type { Dimension } from '@manybody/core'
import { randomOf } from './random.ts'

export interface CloudOptions {
  readonly count: number
  readonly dimension?: Dimension
  readonly seed: number
  /** Edge of the cube around the origin that contains the points; 2 by default. */
  readonly side?: number
  /** Centres of such cubes instead of the origin; points use them in turn. */
  readonly sites?: Float64Array
  /** The minimum distance between points. */
  readonly apart?: number
  /** Distances to avoid. */
  readonly avoid?: readonly number[]
  /** Edges of a periodic box, infinite along an axis that does not repeat. Distances are to nearest images, and no pair is close to changing its image. */
  readonly box?: readonly number[]
  /** Other points. Their distances to points of the cloud obey the same rules. */
  readonly against?: Float64Array
}

/** The relative distance that counts as close: two hundred roundings of float32. */
const margin = 1.2e-5

/** Random positions, interleaved. @throws Error if the rules leave no room */
export function cloud(options: CloudOptions): Float64Array {
  const { count, dimension = 3, seed, side = 2, sites, against = new Float64Array(0) } = options
  const random = randomOf(seed)
  const position = new Float64Array(count * dimension)
  const others = against.length / dimension
  const ruled = options.apart !== undefined || options.avoid !== undefined || options.box !== undefined
  for (let p = 0, tries = 0; p < count; tries++) {
    if (tries > 1000 * count) throw new Error(`Cannot place ${count} points: the cloud has no room; make it larger`)
    const site = sites?.subarray(p * dimension, (p + 1) * dimension)
    const point = random.array(dimension, -side / 2, side / 2).map((x, axis) => x + (site?.[axis] ?? 0))
    const fits = (array: Float64Array, q: number) =>
      allowed(point, array.subarray(q * dimension, (q + 1) * dimension), options)
    if (!ruled || (every(p, (q) => fits(position, q)) && every(others, (q) => fits(against, q)))) {
      position.set(point, p * dimension)
      p++
    }
  }
  return position
}

function every(count: number, test: (q: number) => boolean): boolean {
  for (let q = 0; q < count; q++) if (!test(q)) return false
  return true
}

function allowed(a: Float64Array, b: Float64Array, { apart = 0, avoid = [], box }: CloudOptions): boolean {
  let r2 = 0
  for (const [axis, x] of a.entries()) {
    let d = x - (b[axis] as number)
    const length = box?.[axis]
    if (length !== undefined && length < Number.POSITIVE_INFINITY) {
      d -= length * Math.round(d / length)
      if (Math.abs(Math.abs(d) / length - 0.5) < margin) return false
    }
    r2 += d * d
  }
  const r = Math.sqrt(r2)
  return r >= apart && avoid.every((distance) => Math.abs(r - distance) > margin * distance)
}

/**
 * Points of a lattice, moved by at most a tenth of the spacing. As in a liquid, each point has several neighbours at similar distances, so
 * that steep laws are well conditioned.
 */
export function liquid(
  cells: readonly number[],
  spacing: number,
  options: Omit<CloudOptions, 'sites' | 'side' | 'dimension'>,
): Float64Array {
  const dimension = cells.length as Dimension
  return cloud({ ...options, dimension, sites: lattice(cells, spacing), side: spacing / 5 })
}

/** The integer lattice of `cells[0] x cells[1] (x cells[2])` points, x fastest, times a spacing: distances repeat exactly. */
export function lattice(cells: readonly number[], spacing = 1): Float64Array {
  const [nx = 1, ny = 1] = cells
  const count = cells.reduce((product, n) => product * n, 1)
  const position = new Float64Array(count * cells.length)
  for (let p = 0; p < count; p++) {
    const index = [p % nx, Math.floor(p / nx) % ny, Math.floor(p / (nx * ny))]
    for (let axis = 0; axis < cells.length; axis++)
      position[p * cells.length + axis] = spacing * (index[axis] as number)
  }
  return position
}
