/**
 * Points that come and go in place: their arrays on a device get shorter or longer within the room that they were made with.
 *
 * @module
 */
import type { DeviceBuffer, Stretch } from '../../contract/backend.ts'
import type { FloatArray } from '../../ground/checks.ts'
import { requireInFloat32 } from '../../problem/workloads/numbers/float32-numbers.ts'
import { widened } from '../changed-arrays.ts'
import { requireApart, requireNearOthers } from '../origin.ts'
import type { ClockedState } from '../state.ts'
import { writePart } from './buffers.ts'

/** @throws RangeError for numbers that float32 does not hold */
export function requireAdded(
  added: Readonly<Record<string, FloatArray>>,
  { arrays, dimension }: Pick<ClockedState, 'arrays' | 'dimension'>,
): void {
  const { position = new Float32Array(0) } = added
  for (const [name, numbers] of Object.entries(added)) requireInFloat32(numbers, name)
  requireNearOthers(position, arrays, dimension)
  requireApart(position, dimension)
}

/** The stretches of points that stay. @param gone the others, ascending */
export function stretchesBetween(gone: readonly number[], count: number): readonly Stretch[] {
  const starts = [0, ...gone.map((point) => point + 1)]
  return starts.map((first, n) => [first, gone[n] ?? count] as const).filter(([first, last]) => first < last)
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
  if ('kept' in change) return buffer.keep?.(widened(change.kept, width))
  const { numbers, count } = change
  await buffer.resize?.(width * count + numbers.length)
  if (numbers.length > 0) await writePart(buffer, numbers, width * count)
}
