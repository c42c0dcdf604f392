/**
 * Nearest images in maps: of the other end of a bond, and of the next point of an angle.
 *
 * A triclinic box is left along its last vector first. The image is the nearest one up to half the least of its extents along the axes.
 *
 * @module
 */
import { callOf, powerOf, productOf, sumOf } from '../../language/canonical.ts'
import { type Expr, negate, symbol } from '../../language/nodes.ts'
import { type Boundary, repeatOf } from '../../problem/workloads/domain.ts'
import { boxSymbol } from '../numbers/box.ts'

/** The vector of a box along each axis that repeats. */
function vectorsOf(boundary: Boundary, dimension: number): readonly (readonly number[] | undefined)[] {
  const [xy = 0, xz = 0, yz = 0] = (boundary.kind === 'periodic' && boundary.tilts) || []
  const tilts = [[], [xy], [xz, yz]]
  return Array.from({ length: dimension }, (_, axis) => {
    const length = repeatOf(boundary, axis)
    return length === undefined ? undefined : [...(tilts[axis] as number[]), length]
  })
}

/** The displacement to the nearest image. The box stands by its symbols: see `numbers/box.ts`. */
export function nearestImage(boundary: Boundary, direct: readonly Expr[]): readonly Expr[] {
  const near = [...direct]
  const dimension = direct.length
  for (const [axis, vector] of [...vectorsOf(boundary, dimension).entries()].reverse()) {
    if (!vector) continue
    const along = near[axis] as Expr
    const images = callOf('round', [productOf([along, powerOf(symbol(boxSymbol(axis)), -1)])])
    for (const [n, step] of vector.entries()) {
      // The tilts are xy, xz and yz.
      const place = n === axis ? axis : dimension + axis + n - 1
      if (step !== 0) near[n] = sumOf([near[n] as Expr, negate(productOf([symbol(boxSymbol(place)), images]))])
    }
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
