/** Arrays of points that come, on a device that fails. */
import { expect, test } from 'vitest'
import type { DeviceBuffer } from '../../src/contract/backend.ts'
import { repopulated } from '../../src/simulation/stepping/population.ts'

test('a device that refuses one array at once is not left alone with the failures of others', async () => {
  const lost = new Error('the device is lost')
  const later = { writePart: () => Promise.reject(lost), resize: () => undefined } as Partial<DeviceBuffer>
  const atOnce = {
    writePart() {
      throw lost
    },
    resize: () => undefined,
  } as Partial<DeviceBuffer>
  const unhandled: unknown[] = []
  const note = (error: unknown) => unhandled.push(error)
  process.on('unhandledRejection', note)
  const arrays = [later, later, atOnce].map((buffer, n) => ({ name: `${n}`, buffer: buffer as DeviceBuffer, width: 1 }))
  const added = Object.fromEntries(arrays.map(({ name }) => [name, Float32Array.of(1)]))
  await expect(repopulated(arrays, { added }, { before: 0, now: 1 })).rejects.toBe(lost)
  await new Promise((resolve) => setTimeout(resolve))
  process.off('unhandledRejection', note)
  expect(unhandled).toEqual([])
})
