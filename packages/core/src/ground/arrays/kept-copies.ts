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

/** The one idle for longest is first. Taking one out of a list makes no garbage, unlike with a `Set`. */
const idle: FloatArray[] = []
let bytes = 0

/** A copy that nobody else uses. A list becomes float64. */
export function copyOf(given: FloatArray | readonly number[]): FloatArray {
  const Type = given instanceof Float32Array ? Float32Array : Float64Array
  if (given.length >= fewest)
    for (let n = 0; n < idle.length; n++) {
      const copy = idle[n] as FloatArray
      if (!(copy instanceof Type && copy.length === given.length)) continue
      take(n)
      copy.set(given)
      return copy
    }
  return new Type(given)
}

function take(n: number): void {
  bytes -= (idle[n] as FloatArray).byteLength
  idle.copyWithin(n, n + 1)
  idle.pop()
}

/** Takes back the copies of a finished call, if nobody keeps them. */
export function giveBack(arrays: object): void {
  for (const name in arrays) {
    const array = arrays[name as keyof typeof arrays] as unknown
    if (!(array instanceof Float32Array || array instanceof Float64Array)) continue
    if (array.length < fewest || idle.includes(array)) continue
    bytes += array.byteLength
    idle.push(array)
  }
  while (bytes > mostBytes || idle.length > most) take(0)
}
