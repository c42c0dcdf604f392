/**
 * The length of an array that a device buffer is written from or read into. It is the length of the buffer.
 *
 * @module
 */
import type { FloatArray } from './magnitudes.ts'

/** @throws RangeError */
export function requireBufferLength(array: FloatArray | undefined, name: string, length: number): void {
  if (array && array.length !== length)
    throw new RangeError(`"${name}" expected length ${length}, the length of the buffer, got ${array.length}`)
}
