/** Arrays of points that come, on a device that fails. */
import type { DeviceBuffer } from '@manybody/core'
import { expect, test } from 'vitest'
import { repopulated } from '../../packages/core/src/simulation/stepping/population.ts'

test('a device that refuses one array at once is not left alone with the failures of others', async () => {
  const lost = new Error('the device is lost')
  const buffer = (writePart: () => Promise<void>): DeviceBuffer => ({
    length: 3,
    write: writePart,
    writePart,
    resize: () => undefined,
    read: () => Promise.reject(lost),
    dispose() {},
  })
  const later = buffer(() => Promise.reject(lost))
  const atOnce = buffer(() => {
    throw lost
  })
  const unhandled: unknown[] = []
  const note = (error: unknown) => unhandled.push(error)
  process.on('unhandledRejection', note)
  const added = { position: Float32Array.of(1, 2, 3, 4), velocity: new Float32Array(4), mass: Float32Array.of(1) }
  const arrays = [
    { name: 'position', buffer: later, width: 4 },
    { name: 'velocity', buffer: later, width: 4 },
    { name: 'mass', buffer: atOnce, width: 1 },
  ]
  await expect(repopulated(arrays, { added }, { before: 0, now: 1 })).rejects.toBe(lost)
  await new Promise((resolve) => setTimeout(resolve))
  process.off('unhandledRejection', note)
  expect(unhandled).toEqual([])
})
