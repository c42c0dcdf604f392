/**
 * Arrays on a device by name.
 *
 * @module
 */
import type { Device, DeviceBuffer } from '../../contract/backend.ts'
import type { FloatArray } from '../../ground/checks.ts'

export type Buffers = Record<string, DeviceBuffer>

/** Makes an array on the device for each of some arrays, with its numbers. @param buffers gets them */
export async function fill(
  device: Device,
  buffers: Buffers,
  arrays: Readonly<Record<string, FloatArray>>,
): Promise<void> {
  for (const [name, array] of Object.entries(arrays)) {
    const buffer = await device.buffer(array.length)
    buffers[name] = buffer
    await buffer.write(array)
  }
}
