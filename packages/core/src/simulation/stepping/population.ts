/**
 * Points that come and go in place: their arrays on a device get shorter or longer within the room that they were made with.
 *
 * @module
 */
import type { DeviceBuffer, Stretch } from '../../contract/backend.ts'
import type { FloatArray } from '../../ground/checks.ts'
import { Remembered } from '../../ground/remember.ts'
import { requireInFloat32 } from '../../problem/workloads/numbers/float32-numbers.ts'
import { type Population, widened } from '../changed-arrays.ts'
import { requireApart, requireNearOthers } from '../origin.ts'
import type { ClockedState } from '../state.ts'
import { writePart } from './buffers.ts'

/** Stretches of numbers, by those of points: several arrays have as many for each point. */
const widths = new Remembered<readonly Stretch[], readonly Stretch[]>()

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
  const kept: Stretch[] = []
  let first = 0
  for (const point of gone) {
    if (first < point) kept.push([first, point])
    first = point + 1
  }
  if (first < count) kept.push([first, count])
  return kept
}

/**
 * Changes an array of points.
 *
 * @param before how many points there were
 * @param width numbers of a point
 */
export async function repopulated(
  [name, buffer]: readonly [string, DeviceBuffer],
  change: Population,
  { before, now }: { readonly before: number; readonly now: number },
  width: number,
): Promise<void> {
  if ('kept' in change) return buffer.keep?.(widths.of(change.kept, () => widened(change.kept, width), String(width)))
  await resized(buffer, width * now)
  if (now > before)
    await writePart(buffer, change.added[name] ?? new Float32Array(width * (now - before)), width * before)
}

/** Gives an array another length. */
export const resized = (buffer: DeviceBuffer, length: number): Promise<void> | undefined =>
  buffer.length === length ? undefined : buffer.resize?.(length)
