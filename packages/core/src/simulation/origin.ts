/**
 * Rejects float64 positions of which a simulation in float32 would lose most digits. A single run moves its points to a nearer
 * origin; a simulation keeps coordinates as they are, because integrators may read them.
 *
 * @module
 */
import type { FloatArray } from '../checks.ts'
import type { Dimension } from '../workloads/workload.ts'

/** Rounding may move a point by this share of the extent of all points. */
const most = 1e-3

/** @throws RangeError for points much farther from the origin than from each other */
export function requireNearOrigin(position: FloatArray, dimension: Dimension): void {
  if (!(position instanceof Float64Array)) return
  const axes = Array.from({ length: dimension }, (_, axis) => {
    let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    for (let n = axis; n < position.length; n += dimension) {
      least = Math.min(least, position[n] as number)
      greatest = Math.max(greatest, position[n] as number)
    }
    return { extent: greatest - least, far: Math.max(-least, greatest) }
  })
  const extent = Math.max(...axes.map((axis) => axis.extent))
  // Where all coordinates are equal, they are rounded alike.
  const moved = Math.max(0, ...axes.map((axis) => (axis.extent > 0 ? axis.far * 2 ** -24 : 0)))
  if (moved <= most * extent) return
  throw new RangeError(
    `"position" expected points near the origin, because float32 would move these by up to ${moved.toPrecision(2)}, and they extend over ${extent.toPrecision(2)}; subtract their centre, or use precision "f64"`,
  )
}
