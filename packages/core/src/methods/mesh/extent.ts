/**
 * Where points in open space are.
 *
 * @module
 */
import type { Triple } from './settings.ts'

export interface Extent {
  /** The lowest coordinates. */
  readonly corner: Triple
  /** The extent along each axis. */
  readonly edges: Triple
  /** No two points are farther from each other. */
  readonly far: number
}

/** The extent of all targets and sources together. */
export function extentOf(sets: readonly Float64Array[]): Extent {
  const low = [0, 1, 2].map(() => Number.POSITIVE_INFINITY)
  const high = low.map((x) => -x)
  for (const positions of sets)
    for (let n = 0; n < positions.length; n += 3)
      for (let axis = 0; axis < 3; axis++) {
        const x = positions[n + axis] as number
        if (x < (low[axis] as number)) low[axis] = x
        if (x > (high[axis] as number)) high[axis] = x
      }
  const edges = high.map((x, axis) => x - (low[axis] as number)) as unknown as Triple
  const centre = high.map((x, axis) => (x + (low[axis] as number)) / 2)
  let radius2 = 0
  for (const positions of sets)
    for (let n = 0; n < positions.length; n += 3) {
      let r2 = 0
      for (let axis = 0; axis < 3; axis++) r2 += ((positions[n + axis] as number) - (centre[axis] as number)) ** 2
      radius2 = Math.max(radius2, r2)
    }
  return { corner: low as unknown as Triple, edges, far: Math.min(Math.hypot(...edges), 2 * Math.sqrt(radius2)) }
}
