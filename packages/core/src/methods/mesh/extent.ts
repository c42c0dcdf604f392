/**
 * Where points in open space are.
 *
 * @module
 */
import { alongSides, type Triple } from './mesh-box.ts'
import type { SpaceDimension } from './split/shells.ts'

/** Along the sides of a box. */
export interface Extent {
  readonly dimension: SpaceDimension
  /** The lowest coordinates. */
  readonly corner: Triple
  /** The extent along each axis. */
  readonly edges: Triple
  /** No two points are farther from each other. */
  readonly far: number
}

/** The extent of all points of some sets. */
export function extentOf(sets: readonly Float64Array[], dimension: SpaceDimension): Extent {
  const ranges = Array.from({ length: dimension }, (_, axis) => rangeOf(sets, axis, dimension))
  const middle = ranges.map(([low, high]) => (low + high) / 2)
  let radius2 = 0
  for (const positions of sets)
    for (let n = 0; n < positions.length; n += dimension) {
      let r2 = 0
      for (let axis = 0; axis < dimension; axis++)
        r2 += ((positions[n + axis] as number) - (middle[axis] as number)) ** 2
      if (r2 > radius2) radius2 = r2
    }
  const along = (of: (range: Range) => number) => alongSides(dimension, (_, axis) => of(ranges[axis] as Range))
  const edges = along(([low, high]) => high - low)
  const corner = along(([low]) => low)
  return { dimension, corner, edges, far: Math.min(Math.hypot(...edges), 2 * Math.sqrt(radius2)) }
}

type Range = readonly [low: number, high: number]

function rangeOf(sets: readonly Float64Array[], axis: number, dimension: number): Range {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const positions of sets)
    for (let n = axis; n < positions.length; n += dimension) {
      const x = positions[n] as number
      if (x < low) low = x
      if (x > high) high = x
    }
  return [low, high]
}
