/**
 * Copies of callers' arrays. A finished call's copies serve the next call with as many numbers. Memory that was never used before is
 * several times slower to write, because the system clears each page when it is first touched.
 *
 * @module
 */

import type { FloatArray } from './magnitudes.ts'

/** Copies of fewer numbers are made as quickly as they are found. */
const fewest = 64
/** The most idle copies, and their most bytes. The copies that were idle for longest go to the garbage collector. */
const [most, mostBytes] = [32, 2 ** 26]

const idle = new Set<FloatArray>()

/** A copy that nobody else uses. A list becomes float64. */
export function copyOf(given: FloatArray | readonly number[]): FloatArray {
  const Type = given instanceof Float32Array ? Float32Array : Float64Array
  if (given.length >= fewest)
    for (const copy of idle)
      if (copy instanceof Type && copy.length === given.length) {
        idle.delete(copy)
        copy.set(given)
        return copy
      }
  return new Type(given)
}

/** Takes back the copies of a finished call, if nobody keeps them. */
export function giveBack(arrays: object): void {
  for (const array of Object.values(arrays))
    if ((array instanceof Float32Array || array instanceof Float64Array) && array.length >= fewest) idle.add(array)
  let bytes = 0
  for (const { byteLength } of idle) bytes += byteLength
  for (const oldest of idle) {
    if (bytes <= mostBytes && idle.size <= most) break
    idle.delete(oldest)
    bytes -= oldest.byteLength
  }
}
