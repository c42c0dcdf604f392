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

export interface ReachRule {
  readonly cutoff: number
  /** In which the loop computes. */
  readonly precision: Precision
  /** In which boxes are fitted and compared: float64 by default. In float32, they are the corners of points as they are. */
  readonly boxes?: Precision
  readonly dimension: number
  readonly periodic: boolean
  /** Whether the loop reads coordinates in two floats each. */
  readonly split: boolean
  /** The unit of length in which the loop squares. */
  readonly unit: number
}

export interface ReachOptions extends ReachRule {
  /** The largest finite coordinate of all points, by its size. */
  readonly most: number
}

export function reachOf(options: ReachOptions): number {
  const { fixed, ofSize } = reachTerms(options)
  return fixed + ofSize * options.most
}

/** The reach of points whose largest coordinate or box length is `most`: `fixed + ofSize * most`. */
export function reachTerms({ cutoff, precision, boxes = 'f64', dimension, periodic, split, unit }: ReachRule): {
  readonly fixed: number
  readonly ofSize: number
} {
  const single = precision === 'f32'
  const roundoff = single ? 2 ** -24 : 2 ** -53
  // Squares near the least number may be rounded by it, on a GPU to 0: this is more than the root of a few.
  const least = unit * (single ? 2 ** -60 : 2 ** -534)
  // A displacement to the nearest image is of numbers as large as the coordinates are, and so is one of split ones, whose
  // lower halves have 2^-22 of their size.
  const images = split ? 2 ** -42 : periodic ? 16 * roundoff : 0
  return {
    fixed: cutoff * (1 + relativeLoss({ precision, boxes })) + least,
    ofSize: Math.sqrt(dimension) * (boxesLose(boxes, periodic, split) + images),
  }
}

/** What a distance may lose by its size. */
function relativeLoss({ precision, boxes }: Pick<ReachRule, 'precision' | 'boxes'>): number {
  // Of r2: two roundings of a difference, one of each square, two of their sum, one of the square of the cutoff; half of them
  // count for r, and this is some four times that. Gaps between boxes of float32 are squared like distances.
  return 16 * (precision === 'f32' ? 2 ** -24 : 2 ** -53) + (boxes === 'f32' ? 16 * 2 ** -24 : 0)
}

/** How a reach depends on a distance that the loop computed: `slope * distance + start`. */
export interface ReachLine {
  readonly slope: number
  readonly start: number
}

/** The reach of every distance. */
export function reachLine(options: Omit<ReachOptions, 'cutoff'>): ReachLine {
  return { slope: 1 + relativeLoss(options), start: reachOf({ ...options, cutoff: 0 }) }
}

/** The distance up to which every pair counts. It is negative if rounding may exceed the cutoff. */
export function surelyWithin({ cutoff, ...options }: ReachOptions): number {
  const { slope, start } = reachLine(options)
  return cutoff * (2 - slope) - start
}

/** What boxes may lose along an axis, by the size of coordinates. */
function boxesLose(boxes: Precision, periodic: boolean, split: boolean): number {
  // Computed from coordinates and differences of at most twice their size.
  if (boxes === 'f64') return 2 ** -48
  // Two lower halves are left out. Two points are moved into the box, each by a product, a difference and perhaps one box too
  // few, and compared across a face: some ten roundings of each.
  return (split ? 2 ** -20 : 0) + (periodic ? 64 * 2 ** -24 : 0)
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
