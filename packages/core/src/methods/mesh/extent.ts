/**
 * Where points in open space are.
 *
 * @module
 */
import type { Triple } from './mesh-box.ts'

export interface Extent {
  /** The lowest coordinates. */
  readonly corner: Triple
  /** The extent along each axis. */
  readonly edges: Triple
  /** No two points are farther from each other. */
  readonly far: number
}

/** The extent of all points of some sets. */
export function extentOf(sets: readonly Float64Array[]): Extent {
  const axes = [0, 1, 2].map((axis) => rangeOf(sets, axis))
  const [x, y, z] = axes.map(([low, high]) => (low + high) / 2) as unknown as Triple
  let radius2 = 0
  for (const positions of sets)
    for (let n = 0; n < positions.length; n += 3) {
      const [dx, dy, dz] = [
        (positions[n] as number) - x,
        (positions[n + 1] as number) - y,
        (positions[n + 2] as number) - z,
      ]
      const r2 = dx * dx + dy * dy + dz * dz
      if (r2 > radius2) radius2 = r2
    }
  const edges = axes.map(([low, high]) => high - low) as unknown as Triple
  const corner = axes.map(([low]) => low) as unknown as Triple
  return { corner, edges, far: Math.min(Math.hypot(...edges), 2 * Math.sqrt(radius2)) }
}

function rangeOf(sets: readonly Float64Array[], axis: number): readonly [low: number, high: number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const positions of sets)
    for (let n = axis; n < positions.length; n += 3) {
      const x = positions[n] as number
      if (x < low) low = x
      if (x > high) high = x
    }
  return [low, high]
}
