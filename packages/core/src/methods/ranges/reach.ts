/**
 * How far a walk must look, so that it finds every pair that a loop may consider within its cutoff.
 *
 * A loop compares rounded squares of distances, and a walk compares boxes. The reach exceeds the cutoff by the bound of all
 * these roundings, so that a walk leaves out only pairs that the loop would also leave out.
 *
 * @module
 */
import type { FloatArray } from '../../ground/checks.ts'
import type { Precision } from '../../ground/precision.ts'

export interface ReachRule {
  readonly cutoff: number
  /** The precision of the loop. */
  readonly precision: Precision
  /** The precision of boxes and of comparisons between them: float64 by default. Float32 boxes have exact corners. */
  readonly boxes?: Precision
  readonly dimension: number
  readonly periodic: boolean
  /** Whether the loop reads each coordinate as two floats. */
  readonly split: boolean
  /** The unit of length of the loop. */
  readonly unit: number
}

export interface ReachOptions extends ReachRule {
  /** The largest finite coordinate of all points, as an absolute value. */
  readonly most: number
}

export function reachOf(options: ReachOptions): number {
  const { fixed, ofSize } = reachTerms(options)
  return fixed + ofSize * options.most
}

/** The reach as a function of the largest coordinate or box length `most`: `fixed + ofSize * most`. */
export function reachTerms({ cutoff, precision, boxes = 'f64', dimension, periodic, split, unit }: ReachRule): {
  readonly fixed: number
  readonly ofSize: number
} {
  const single = precision === 'f32'
  const roundoff = single ? 2 ** -24 : 2 ** -53
  // Squares near the least number have errors as large as that number, and on a GPU may become 0. This exceeds the root of a few of them.
  const least = unit * (single ? 2 ** -60 : 2 ** -534)
  // The displacement to the nearest image is rounded like numbers as large as the coordinates. So is the displacement between split
  // coordinates, but there the lower halves are 2^-22 times as large.
  const images = split ? 2 ** -42 : periodic ? 16 * roundoff : 0
  return {
    fixed: cutoff * (1 + relativeLoss({ precision, boxes })) + least,
    ofSize: Math.sqrt(dimension) * (boxesLose(boxes, periodic, split) + images),
  }
}

/** The relative error of a distance. */
function relativeLoss({ precision, boxes }: Pick<ReachRule, 'precision' | 'boxes'>): number {
  // r2 has two roundings of each difference, one of each square, two of the sum, and one of the square of the cutoff. Half of
  // these count for r; this is about four times that. Gaps between float32 boxes are squared like distances.
  return 16 * (precision === 'f32' ? 2 ** -24 : 2 ** -53) + (boxes === 'f32' ? 16 * 2 ** -24 : 0)
}

/** The reach as a function of a distance that the loop computed: `slope * distance + start`. */
export interface ReachLine {
  readonly slope: number
  readonly start: number
}

/** The reach for every distance. */
export function reachLine(options: Omit<ReachOptions, 'cutoff'>): ReachLine {
  return { slope: 1 + relativeLoss(options), start: reachOf({ ...options, cutoff: 0 }) }
}

/** All pairs up to this distance count. It is negative if rounding may exceed the cutoff. */
export function surelyWithin(options: ReachOptions): number {
  const { slope, start } = reachLine(options)
  return options.cutoff * (2 - slope) - start
}

/** The error of boxes along an axis, relative to the size of coordinates. */
function boxesLose(boxes: Precision, periodic: boolean, split: boolean): number {
  // These boxes are computed from coordinates, and from differences of at most twice their size.
  if (boxes === 'f64') return 2 ** -48
  // Split coordinates lose two lower halves. In a periodic box, two points are moved inside, each by a product, a difference and
  // perhaps one length too few. They are compared across a face: about ten roundings each.
  return (split ? 2 ** -20 : 0) + (periodic ? 64 * 2 ** -24 : 0)
}

/** The largest finite coordinate, as an absolute value. */
export function largestOf(...positions: readonly FloatArray[]): number {
  let most = 0
  for (const position of positions)
    for (let n = 0; n < position.length; n++) {
      const size = Math.abs(position[n] as number)
      if (size > most && size < Number.POSITIVE_INFINITY) most = size
    }
  return most
}
