/**
 * Nearest images in maps: of the other end of a bond, and of the next point of an angle.
 *
 * A triclinic box is left along its last vector first. The image is the nearest one up to half the least of its extents along the axes.
 *
 * @module
 */
import { callOf, powerOf, productOf, sumOf } from '../../language/canonical.ts'
import { constant, type Expr, negate } from '../../language/nodes.ts'
import { type Boundary, repeatOf } from '../../problem/workloads/domain.ts'

/** The vector of a box along each axis that repeats. */
function vectorsOf(boundary: Boundary, dimension: number): readonly (readonly number[] | undefined)[] {
  const [xy = 0, xz = 0, yz = 0] = (boundary.kind === 'periodic' && boundary.tilts) || []
  const tilts = [[], [xy], [xz, yz]]
  return Array.from({ length: dimension }, (_, axis) => {
    const length = repeatOf(boundary, axis)
    return length === undefined ? undefined : [...(tilts[axis] as number[]), length]
  })
}

/** The displacement to the nearest image. */
export function nearestImage(boundary: Boundary, direct: readonly Expr[]): readonly Expr[] {
  const near = [...direct]
  for (const [axis, vector] of [...vectorsOf(boundary, direct.length).entries()].reverse()) {
    if (!vector) continue
    const along = near[axis] as Expr
    const images = callOf('round', [productOf([along, powerOf(constant(vector[axis] as number), -1)])])
    for (const [n, step] of vector.entries())
      if (step !== 0) near[n] = sumOf([near[n] as Expr, negate(productOf([constant(step), images]))])
  }
  return near
}

/** The same for numbers. */
export function nearestNumbers(boundary: Boundary, direct: readonly number[]): number[] {
  const near = [...direct]
  for (const [axis, vector] of [...vectorsOf(boundary, direct.length).entries()].reverse()) {
    if (!vector) continue
    const images = Math.round((near[axis] as number) / (vector[axis] as number))
    for (const [n, step] of vector.entries()) near[n] = (near[n] as number) - step * images
  }
  return near
}
