/**
 * Points that come and go in place: their arrays on a device get shorter or longer within the room that they were made with.
 *
 * @module
 */
import type { DeviceBuffer, Stretch } from '../../contract/backend.ts'
import type { FloatArray } from '../../ground/checks.ts'
import { requireInFloat32 } from '../../problem/workloads/numbers/float32-numbers.ts'
import type { PointArrays } from '../arrays.ts'
import { type Population, widened } from '../changed-arrays.ts'
import { requireApart, requireNearOthers } from '../origin.ts'
import type { ClockedState } from '../state.ts'
import { writePart } from './buffers.ts'

/** @throws RangeError for numbers that float32 does not hold */
export function requireAdded(
  added: PointArrays,
  { arrays, dimension }: Pick<ClockedState, 'arrays' | 'dimension'>,
): void {
  for (const name in added) {
    const numbers = added[name]
    if (numbers instanceof Float64Array) requireInFloat32(numbers, name)
  }
  requireNearOthers(added.position, arrays, dimension)
  requireApart(added.position, dimension)
}

/** The stretches of points that stay. @param gone the others, ascending */
export function stretchesBetween(gone: ArrayLike<number>, count: number): readonly Stretch[] {
  const kept: Stretch[] = []
  let first = 0
  for (let n = 0; n < gone.length; n++) {
    const point = gone[n] as number
    if (first < point) kept.push([first, point])
    first = point + 1
  }
  if (first < count) kept.push([first, count])
  return kept
}

/** An array of points, and how many numbers each has there. */
interface WideArray {
  readonly name: string
  readonly buffer: DeviceBuffer
  readonly width: number
}

/** Changes arrays of points, all at once, because some devices answer later; undefined if that is done. */
export function repopulated(
  arrays: readonly WideArray[],
  change: Population,
  counts: Counts,
): Promise<unknown> | undefined {
  const waiting: Promise<void>[] = []
  const stretches: (readonly Stretch[])[] = []
  try {
    for (const { name, buffer, width } of arrays) {
      let pending: Promise<void> | undefined
      if ('added' in change) pending = lengthened(buffer, change.added[name], counts, width)
      else {
        stretches[width] ??= widened(change.kept, width)
        pending = buffer.keep?.(stretches[width])
      }
      if (pending) waiting.push(pending)
    }
  } catch (error) {
    // Earlier arrays may fail later.
    waiting.push(Promise.reject(error))
  }
  return waiting.length > 0 ? Promise.all(waiting) : undefined
}

let zeros = new Float32Array(64)

/** Zeros, which nobody writes. */
function zerosOf(length: number): Float32Array {
  if (zeros.length < length) zeros = new Float32Array(2 * length)
  return zeros.subarray(0, length)
}

/** How many points there were, and are. */
interface Counts {
  readonly before: number
  readonly now: number
}

/** Gives an array the length for the points of now, with numbers for those that come, zeros by default; undefined if that is done. */
export function lengthened(
  buffer: DeviceBuffer,
  added: FloatArray | undefined,
  { before, now }: Counts,
  width: number,
): Promise<void> | undefined {
  const resizing = resized(buffer, width * now)
  if (now <= before) return resizing
  const write = () => writePart(buffer, added ?? zerosOf(width * (now - before)), width * before)
  return resizing === undefined ? write() : resizing.then(write)
}

/** Gives an array another length; undefined if that is done. */
export const resized = (buffer: DeviceBuffer, length: number): Promise<void> | undefined =>
  buffer.length === length ? undefined : buffer.resize?.(length)
