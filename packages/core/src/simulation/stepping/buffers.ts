/**
 * Arrays on a device by name.
 *
 * @module
 */
import type { Device, DeviceBuffer } from '../../contract/backend.ts'
import type { FloatArray } from '../../ground/checks.ts'

export type NamedBuffers = Record<string, DeviceBuffer>

/**
 * Makes an array on the device for each of some arrays, with its numbers.
 *
 * @param buffers gets them
 * @param roomFor how many numbers each may later have, by how many it has; as many by default
 */
export async function fill(
  device: Device,
  buffers: NamedBuffers,
  arrays: Readonly<Record<string, FloatArray>>,
  roomFor: (length: number) => number = (length) => length,
): Promise<void> {
  for (const [name, array] of Object.entries(arrays)) {
    const buffer = await bufferOf(device, array.length, roomFor(array.length))
    buffers[name] = buffer
    await buffer.write(array)
  }
}

/** A buffer with room for more numbers, if its length may change. */
async function bufferOf(device: Device, length: number, room: number): Promise<DeviceBuffer> {
  const buffer = await device.buffer(room)
  if (room === length) return buffer
  if (!buffer.resize) {
    buffer.dispose()
    return device.buffer(length)
  }
  await buffer.resize(length)
  return buffer
}

/** Writes numbers from a place on; undefined if that is done. */
export const writePart = (buffer: DeviceBuffer, numbers: FloatArray, first: number): Promise<void> | undefined =>
  buffer.writePart ? buffer.writePart(numbers, first) : rewritten(buffer, numbers, first)

async function rewritten(buffer: DeviceBuffer, numbers: FloatArray, first: number): Promise<void> {
  const all = await buffer.read()
  all.set(numbers, first)
  return buffer.write(all)
}
