/**
 * Where the list of each target starts in one array of all lists, from the lengths of the lists, and whether that array fits a
 * device.
 *
 * @module
 */
import type { DeviceInfo } from '../../contract/backend.ts'

/**
 * The start of each list, and after them the end of the last.
 *
 * @param offsets an array to write into
 * @throws RangeError if the lists are longer than the device can keep, before anything is allocated for them
 */
export function offsetsOf(
  counts: ArrayLike<number>,
  { backend, limits }: Pick<DeviceInfo, 'backend' | 'limits'>,
  offsets: Uint32Array = new Uint32Array(counts.length + 1),
): Uint32Array {
  let entries = 0
  for (let t = 0; t < counts.length; t++) {
    offsets[t] = entries
    entries += counts[t] as number
  }
  const { resultBytes, listBytes = resultBytes } = limits
  const bytes = entries * Int32Array.BYTES_PER_ELEMENT
  if (bytes > listBytes || entries >= 2 ** 32)
    throw new RangeError(
      `Cannot list the neighbours on ${backend}: ${entries} entries need ${bytes} bytes, device limit is ${listBytes}; use a smaller radius, or list the targets in parts`,
    )
  offsets[counts.length] = entries
  return offsets
}
