// A device of each precision for the tests of a file. It may use two threads for jobs of any size.

import type { Device, Precision } from '@manybody/core'
import { afterAll, beforeAll } from 'vitest'
import { cpuWasm } from '../../src/index.ts'

/** The devices, once the tests run. They end after the last test. */
export function devicesOfBothPrecisions(): Partial<Record<Precision, Device>> {
  const devices: Partial<Record<Precision, Device>> = {}
  beforeAll(async () => {
    for (const precision of ['f32', 'f64'] as const)
      devices[precision] = await cpuWasm({ threadsFrom: 0 }).open({ threads: 2, precision })
  })
  afterAll(() => {
    for (const device of Object.values(devices)) device.dispose()
  })
  return devices
}
