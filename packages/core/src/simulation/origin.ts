/**
 * Rejects float64 positions if a simulation in float32 would lose most of their digits, or the distance between two of them. A single
 * run moves its points to a nearer origin, or gives them two floats per coordinate. A simulation keeps coordinates as they are, because
 * integrators may read them.
 *
 * @module
 */
import type { FloatArray } from '../ground/checks.ts'
import { Remembered } from '../ground/remember.ts'
import { closePair } from '../problem/workloads/numbers/close-pairs.ts'
import type { Dimension } from '../problem/workloads/workload.ts'
import { countOf, type PointArrays } from './arrays.ts'
import { changeOf } from './changed-arrays.ts'

/** Rounding may move a point by this share of the extent of all points. */
const most = 1e-3

/** Rounding may change the distance of two points by this share, or more in a cloud that has closer pairs by chance. */
const mostOfDistance = 1 / 8

/** @throws RangeError for two points closer to each other than float32 can tell at their place */
export function requireApart(position: FloatArray, dimension: Dimension): void {
  if (!(position instanceof Float64Array)) return
  const pair = closePair(position, position, { dimension, boxes: [] }, mostOfDistance)
  if (pair === undefined || pair === 'many') return
  const [a, b] = [pair.target, pair.source].map((n) => position.subarray(dimension * n, dimension * (n + 1)))
  const between = (of: (x: number) => number) =>
    Math.hypot(...Array.from(a ?? [], (x, axis) => of(x) - of(b?.[axis] as number))).toPrecision(2)
  throw new RangeError(
    `"position" expected points that float32 keeps apart, but points ${pair.target} and ${pair.source}, at a distance of ${between((x) => x)}, would be at ${between(Math.fround)}; use precision "f64", or round positions to a Float32Array`,
  )
}

/** The least and the greatest coordinate along each axis. */
type Extents = readonly { readonly least: number; readonly greatest: number }[]

const extents = new Remembered<PointArrays, Extents>()

const extentsOf = (position: FloatArray, dimension: Dimension): Extents =>
  Array.from({ length: dimension }, (_, axis) => {
    let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    for (let n = axis; n < position.length; n += dimension) {
      least = Math.min(least, position[n] as number)
      greatest = Math.max(greatest, position[n] as number)
    }
    return { least, greatest }
  })

/** The extents of all points, or of points that came with those before them. */
function extentsIn(arrays: PointArrays, dimension: Dimension): Extents {
  return extents.of(arrays, () => {
    const last = changeOf(arrays)
    if (!last || countOf({ arrays, dimension }) === 0) return extentsOf(arrays.position, dimension)
    const before = extentsIn(last.before, dimension)
    return 'added' in last.change ? joined(before, last.change.added.position as FloatArray, dimension) : before
  })
}

const joined = (some: Extents, others: FloatArray, dimension: Dimension): Extents =>
  extentsOf(others, dimension).map(({ least, greatest }, axis) => ({
    least: Math.min(least, some[axis]?.least ?? least),
    greatest: Math.max(greatest, some[axis]?.greatest ?? greatest),
  }))

/**
 * For some points that are written: whether float32 holds their places beside the others.
 *
 * @param others are not changed later
 * @throws RangeError
 */
export function requireNearOthers(written: FloatArray, others: PointArrays, dimension: Dimension): void {
  if (written instanceof Float64Array) requireHeld(joined(extentsIn(others, dimension), written, dimension))
}

/** @throws RangeError for points much farther from the origin than from each other */
export function requireNearOrigin(position: FloatArray, dimension: Dimension): void {
  if (position instanceof Float64Array) requireHeld(extentsOf(position, dimension))
}

function requireHeld(given: Extents): void {
  const axes = given.map(({ least, greatest }) => ({ extent: greatest - least, far: Math.max(-least, greatest) }))
  // Without points, no axis has an extent.
  const extent = Math.max(0, ...axes.map((axis) => axis.extent))
  // Where all coordinates are equal, they are rounded alike.
  const moved = Math.max(0, ...axes.map((axis) => (axis.extent > 0 ? axis.far * 2 ** -24 : 0)))
  if (moved <= most * extent) return
  throw new RangeError(
    `"position" expected points near the origin, because float32 would move these by up to ${moved.toPrecision(2)}, and they extend over ${extent.toPrecision(2)}; subtract their centre, or use precision "f64"`,
  )
}
