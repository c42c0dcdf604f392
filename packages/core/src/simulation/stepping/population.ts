/**
 * Points that come and go in place: their arrays on a device get shorter or longer within the room that they were made with.
 *
 * @module
 */
import type { DeviceBuffer, Stretch } from '../../contract/backend.ts'
import type { FloatArray } from '../../ground/checks.ts'
import { requireInFloat32 } from '../../problem/workloads/numbers/float32-numbers.ts'
import { type Population, widened } from '../changed-arrays.ts'
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
 * Changes arrays of points, all at once, because a device answers later.
 *
 * @param widthOf numbers of a point in each
 */
export function repopulated(
  arrays: readonly (readonly [string, DeviceBuffer])[],
  change: Population,
  counts: Counts,
  widthOf: (name: string) => number,
): Promise<unknown> {
  if ('added' in change)
    return Promise.all(arrays.map(([name, buffer]) => lengthened(buffer, change.added[name], counts, widthOf(name))))
  const stretches = new Map<number, readonly Stretch[]>()
  return Promise.all(
    arrays.map(([name, buffer]) => {
      const width = widthOf(name)
      const kept = stretches.get(width) ?? widened(change.kept, width)
      stretches.set(width, kept)
      return buffer.keep?.(kept)
    }),
  )
}

/** How many points there were, and are. */
interface Counts {
  readonly before: number
  readonly now: number
}

/** Puts numbers behind those of an array, zeros by default. */
async function lengthened(
  buffer: DeviceBuffer,
  added: FloatArray | undefined,
  { before, now }: Counts,
  width: number,
): Promise<void> {
  await resized(buffer, width * now)
  if (now > before) await writePart(buffer, added ?? new Float32Array(width * (now - before)), width * before)
}

/** Gives an array another length. */
export const resized = (buffer: DeviceBuffer, length: number): Promise<void> | undefined =>
  buffer.length === length ? undefined : buffer.resize?.(length)
