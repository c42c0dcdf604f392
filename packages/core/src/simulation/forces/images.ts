/**
 * Nearest images in maps: of the other end of a bond, and of the next point of an angle.
 *
 * @module
 */
import { callOf, powerOf, productOf, sumOf } from '../../language/canonical.ts'
import { type Expr, negate, symbol } from '../../language/nodes.ts'
import type { Boundary } from '../../problem/workloads/domain.ts'
import { imageVectorsOf, toImage } from '../../problem/workloads/nearest-image.ts'
import { boxSymbol } from '../numbers/box.ts'

/** The displacement to the nearest image. The box stands by its symbols: see `numbers/box.ts`. */
export function nearestImage(boundary: Boundary, direct: readonly Expr[]): readonly Expr[] {
  const near = [...direct]
  const dimension = direct.length
  for (const [axis, vector] of [...imageVectorsOf(boundary, dimension).entries()].reverse()) {
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
  toImage(near, imageVectorsOf(boundary, direct.length))
  return near
}
