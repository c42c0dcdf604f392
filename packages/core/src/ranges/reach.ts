/**
 * How far a walk must look, so that it hands out every pair that a loop may take as within its cutoff.
 *
 * A loop compares a squared distance that is rounded; a walk compares boxes. The reach exceeds the cutoff by all that these
 * roundings may come to, so that a walk leaves out only pairs which the loop would leave out, too.
 *
 * @module
 */
import type { FloatArray } from '../checks.ts'
import type { Precision } from '../precision.ts'

export interface ReachOptions {
  readonly cutoff: number
  /** In which the loop computes. */
  readonly precision: Precision
  readonly dimension: number
  readonly periodic: boolean
  /** Whether the loop reads coordinates in two floats each. */
  readonly split: boolean
  /** The unit of length in which the loop squares. */
  readonly unit: number
  /** The largest finite coordinate of all points, by its size. */
  readonly most: number
}

export function reachOf({ cutoff, precision, dimension, periodic, split, unit, most }: ReachOptions): number {
  const single = precision === 'f32'
  const roundoff = single ? 2 ** -24 : 2 ** -53
  // Of r2: two roundings of a difference, one of each square, two of their sum, one of the square of the cutoff; half of them
  // count for r, and this is some four times that.
  const relative = 16 * roundoff
  // Squares near the least number may be rounded by it: this is more than the root of a few.
  const least = unit * (single ? 2 ** -72 : 2 ** -534)
  // Boxes are computed in float64, from coordinates and differences of at most twice their size.
  const boxes = 2 ** -48 * most
  // A displacement to the nearest image is of numbers as large as the coordinates are, and so is one of split ones, whose
  // lower halves have 2^-22 of their size.
  const images = split ? 2 ** -42 * most : periodic ? 16 * roundoff * most : 0
  return cutoff * (1 + relative) + least + Math.sqrt(dimension) * (boxes + images)
}

/** The largest finite coordinate by its size. */
export function largestOf(...positions: readonly FloatArray[]): number {
  let most = 0
  for (const position of positions)
    for (let n = 0; n < position.length; n++) {
      const size = Math.abs(position[n] as number)
      if (size > most && size < Number.POSITIVE_INFINITY) most = size
    }
  return most
}
