/**
 * Points that come and go in place: their arrays on a device get shorter or longer within the room that they were made with.
 *
 * @module
 */
import type { DeviceBuffer, Stretch } from '../../contract/backend.ts'
import type { FloatArray } from '../../ground/checks.ts'
import { requireInFloat32 } from '../../problem/workloads/numbers/device-numbers.ts'
import type { PointArrays } from '../arrays.ts'
import { requireApart, requireNearOthers } from '../origin.ts'
import type { ClockedState } from '../state.ts'
import { writePart } from './buffers.ts'

/** Points behind the others, or the stretches of points that stay. */
export type Population =
  | { readonly added: Readonly<Record<string, FloatArray>> }
  | { readonly kept: readonly Stretch[] }

/** The numbers of the points from one on. @param vectors the names of arrays with `dimension` numbers a point */
export function pointsFrom(
  arrays: PointArrays,
  first: number,
  { vectors, dimension }: { readonly vectors: readonly string[]; readonly dimension: number },
): Readonly<Record<string, FloatArray>> {
  return Object.fromEntries(
    Object.entries(arrays).map(([name, array]) => [
      name,
      array.subarray((vectors.includes(name) ? dimension : 1) * first),
    ]),
  )
}

/** @throws RangeError for numbers that float32 does not hold */
export function requireAdded(
  added: Readonly<Record<string, FloatArray>>,
  { arrays, dimension }: Pick<ClockedState, 'arrays' | 'dimension'>,
): void {
  const { position = new Float32Array(0) } = added
  for (const [name, numbers] of Object.entries(added)) requireInFloat32(numbers, name)
  requireNearOthers(position, arrays.position, dimension)
  requireApart(position, dimension)
}

/**
 * The stretches of points that stay.
 *
 * @param places the new index of each point, or -1
 * @param width numbers of a point
 */
export function stretchesOf(places: Int32Array, width: number = 1): readonly Stretch[] {
  const stretches: [number, number][] = []
  for (let point = 0; point < places.length; point++) {
    if ((places[point] as number) < 0) continue
    const latest = stretches.at(-1)
    const [first, last] = [width * point, width * (point + 1)]
    if (latest?.[1] === first) latest[1] = last
    else stretches.push([first, last])
  }
  return stretches
}

/**
 * Changes an array of points.
 *
 * @param change the points that stay, or the numbers of those that are added behind so many others
 * @param width numbers of a point
 */
export async function repopulated(
  buffer: DeviceBuffer,
  change: { readonly kept: readonly Stretch[] } | { readonly numbers: FloatArray; readonly count: number },
  width: number,
): Promise<void> {
  if ('kept' in change) return buffer.keep?.(change.kept.map(([first, last]) => [width * first, width * last] as const))
  const { numbers, count } = change
  await buffer.resize?.(width * count + numbers.length)
  if (numbers.length > 0) await writePart(buffer, numbers, width * count)
}
