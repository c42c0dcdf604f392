/**
 * The origin of float64 coordinates before they are rounded to float32.
 *
 * Floats are dense near 0, so a cloud far from the origin keeps its digits only if its coordinates start at a point nearby.
 * The centre is chosen so that it makes no coordinate worse:
 *
 * - it moves every coordinate of an axis towards 0 (or to the other side, but no farther): `|x - c| <= |x|`. If there are
 *   points on both sides of 0, the centre is 0;
 * - it is a multiple of the distance between floats at the farthest point, so that a coordinate that float32 represents
 *   exactly stays exact.
 *
 * Together these give `|round(x - c) - (x - c)| <= |round(x) - x|` for every coordinate of every point.
 *
 * @module
 */
import type { FloatArray } from '../../../ground/checks.ts'

/** One number per axis. */
export function centreOf(positions: readonly FloatArray[], dimension: number): readonly number[] {
  const least = new Array<number>(dimension).fill(Number.POSITIVE_INFINITY)
  const most = new Array<number>(dimension).fill(Number.NEGATIVE_INFINITY)
  for (const array of positions)
    for (let axis = 0; axis < dimension; axis++) {
      let [low, high] = [least[axis] as number, most[axis] as number]
      for (let n = axis; n < array.length; n += dimension) {
        const x = array[n] as number
        if (x < low) low = x
        if (x > high) high = x
      }
      least[axis] = low
      most[axis] = high
    }
  return least.map((low, axis) => between(low, most[axis] as number))
}

function between(low: number, high: number): number {
  // This also holds without points.
  if (!(low > 0 && high >= low)) return high < 0 && low <= high ? -between(-high, -low) : 0
  const step = spacingAt(high)
  return step * Math.floor(Math.min(low + (high - low) / 2, 2 * low) / step)
}

/** The distance between two floats that are next to each other, at a number > 0. */
const spacingAt = (x: number) => 2 ** (Math.max(-126, Math.floor(Math.log2(x))) - 23)
