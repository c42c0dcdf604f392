/**
 * The unit of inertias where a loop divides forces by them (`bodies/inertia.ts`).
 *
 * @module
 */
import type { FloatArray } from '../../../ground/checks.ts'

/** Inertias that differ by more would lose digits of small forces in float32. */
const mostRatio = 2 ** 16

/** Smaller inertias have no finite inverse in float32. */
const least = 2 ** -100

/** The unit for these inertias; undefined if some are 0, or they differ too much. */
export function inertiaUnitOf(inertias: FloatArray): number | undefined {
  let [low, high] = [Number.POSITIVE_INFINITY, 0]
  for (let n = 0; n < inertias.length; n++) {
    const size = Math.abs(inertias[n] as number)
    if (size < low) low = size
    if (size > high) high = size
  }
  const unit = 2 ** Math.ceil(Math.log2(high))
  return low >= least && unit < Number.POSITIVE_INFINITY && low * mostRatio >= unit ? unit : undefined
}
