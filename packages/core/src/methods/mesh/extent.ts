/**
 * Where points in open space are.
 *
 * @module
 */
import type { FloatArray } from '../../ground/checks.ts'
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
export function extentOf(sets: readonly FloatArray[], dimension: SpaceDimension): Extent {
  const ranges = Array.from({ length: dimension }, (_, axis): Range => {
    const own = sets.map((positions) => rangeOf(positions, axis, dimension))
    return [Math.min(...own.map(([low]) => low)), Math.max(...own.map(([, high]) => high))]
  })
  const middle = ranges.map(([low, high]) => (low + high) / 2)
  const radius2 = Math.max(...sets.map((positions) => farthest2(positions, middle, dimension)))
  const along = (of: (range: Range) => number) => alongSides(dimension, (_, axis) => of(ranges[axis] as Range))
  const edges = along(([low, high]) => high - low)
  const corner = along(([low]) => low)
  return { dimension, corner, edges, far: Math.min(Math.hypot(...edges), 2 * Math.sqrt(radius2)) }
}

type Range = readonly [low: number, high: number]

/** Along an axis. Not a number if a coordinate is not. */
function rangeOf(positions: FloatArray, axis: number, dimension: number): Range {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (let n = axis; n < positions.length; n += dimension) {
    const x = positions[n] as number
    // Comparisons would branch, which takes three times as long.
    low = Math.min(low, x)
    high = Math.max(high, x)
  }
  return [low, high]
}

/** The square of the largest distance from a place. */
function farthest2(positions: FloatArray, [x, y, z = 0]: readonly number[], dimension: number): number {
  let most = 0
  for (let n = 0; n < positions.length; n += dimension) {
    const dx = (positions[n] as number) - (x as number)
    const dy = (positions[n + 1] as number) - (y as number)
    const dz = dimension === 3 ? (positions[n + 2] as number) - z : 0
    const r2 = dx * dx + dy * dy + dz * dz
    if (r2 > most) most = r2
  }
  return most
}
