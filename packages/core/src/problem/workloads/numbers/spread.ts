/**
 * How far apart most points are, whatever a few of them do. It says which distances matter in a run, as its extent does not if one
 * point has flown away.
 *
 * @module
 */
import type { FloatArray } from '../../../ground/checks.ts'

/** The most points that are looked at. */
const most = 1024

/** The radius about the median point within which a quarter of the points lie; the first that is not 0. */
export function spreadOf(positions: readonly FloatArray[], dimension: number): number {
  const points: (readonly number[])[] = []
  for (const array of positions) {
    const count = array.length / dimension
    const step = Math.max(1, Math.ceil((positions.length * count) / most))
    for (let n = 0; n < count; n += step) points.push([...array.subarray(n * dimension, (n + 1) * dimension)])
  }
  const sorted = (numbers: readonly number[]) => Float64Array.from(numbers).sort()
  const middle = Array.from({ length: dimension }, (_, axis) => {
    const along = sorted(points.map((point) => point[axis] as number))
    return along[along.length >> 1] as number
  })
  const radii = sorted(points.map((point) => Math.hypot(...point.map((x, axis) => x - (middle[axis] as number)))))
  return radii.subarray(radii.length >> 2).find((radius) => radius > 0) ?? 0
}
