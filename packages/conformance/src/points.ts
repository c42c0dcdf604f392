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
  const { count, dimension = 3, seed, side = 2, sites, apart = 0, avoid = [], box, against } = options
  const random = randomOf(seed)
  const position = new Float64Array(count * dimension)
  const rules = { apart, box, avoid: Float64Array.from(new Set(avoid)).sort() }
  const ruled = options.apart !== undefined || options.avoid !== undefined || options.box !== undefined
  for (let p = 0, tries = 0; p < count; tries++) {
    if (tries > 1000 * count) throw new Error(`Cannot place ${count} points: the cloud has no room; make it larger`)
    const site = sites?.subarray(p * dimension, (p + 1) * dimension)
    const point = random.array(dimension, -side / 2, side / 2).map((x, axis) => x + (site?.[axis] ?? 0))
    if (
      !ruled ||
      (fits(point, position, p * dimension, rules) && (!against || fits(point, against, against.length, rules)))
    ) {
      position.set(point, p * dimension)
      p++
    }
  }
  return position
}

interface Rules {
  readonly box: readonly number[] | undefined
  readonly apart: number
  /** Rising. */
  readonly avoid: Float64Array
}

/** Whether a point may stand beside the others before an index of their coordinates. The suite has millions of such pairs. */
function fits(point: Float64Array, others: Float64Array, end: number, { apart, avoid, box }: Rules): boolean {
  for (let other = 0; other < end; other += point.length) {
    let r2 = 0
    for (let axis = 0; axis < point.length; axis++) {
      let d = (point[axis] as number) - (others[other + axis] as number)
      const length = box?.[axis]
      if (length !== undefined && length < Number.POSITIVE_INFINITY) {
        d -= length * Math.round(d / length)
        if (Math.abs(Math.abs(d) / length - 0.5) < margin) return false
      }
      r2 += d * d
    }
    const r = Math.sqrt(r2)
    if (r < apart || isNear(r, avoid)) return false
  }
  return true
}

/** Whether a number is close to one of a rising list. */
function isNear(r: number, rising: Float64Array): boolean {
  let [first, end] = [0, rising.length]
  while (first < end) {
    const middle = (first + end) >> 1
    if ((rising[middle] as number) < r) first = middle + 1
    else end = middle
  }
  const within = (distance = Number.NaN) => Math.abs(r - distance) <= margin * distance
  return within(rising[first - 1]) || within(rising[first])
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
