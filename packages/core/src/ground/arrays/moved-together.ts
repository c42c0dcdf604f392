/**
 * Moves the numbers of an array that stay to its start, in place.
 *
 * @module
 */
import type { Stretch } from './bindings.ts'
import type { FloatArray } from './magnitudes.ts'

/** @param stretches ascending @returns how many numbers stay */
export function movedTogether(numbers: FloatArray, stretches: readonly Stretch[]): number {
  let end = 0
  for (const [first, last] of stretches) {
    if (first > end) numbers.copyWithin(end, first, last)
    end += last - first
  }
  return end
}
