/**
 * A few numbers of a large array: where they are not 0, and those of listed points.
 *
 * @module
 */
import type { FloatArray } from './magnitudes.ts'

/** The places of the numbers that are not 0, ascending. */
export function nonzeroIn(numbers: FloatArray): Uint32Array {
  const places: number[] = []
  for (let n = 0; n < numbers.length; n++) if (numbers[n] !== 0) places.push(n)
  return Uint32Array.from(places)
}

/** The numbers of some points one after the other. @param width how many each point has */
export function numbersAt(numbers: FloatArray, points: Uint32Array, width: number): FloatArray {
  const few = numbers.slice(0, width * points.length)
  for (const [n, point] of points.entries())
    for (let k = 0; k < width; k++) few[n * width + k] = numbers[point * width + k] as number
  return few
}
