// Sums through a grid on the processor, against the host's grid in float64.

import { afterAll, describe, expect, test } from 'vitest'
import { gridCases } from '../../core/test/support/grid-cases.ts'
import { cpuWasm } from '../src/index.ts'

const devices = await Promise.all(
  ([1, 3] as const).flatMap((threads) =>
    (['f32', 'f64'] as const).map(async (precision) => ({
      ...{ threads, precision },
      device: await cpuWasm({ threadsFrom: 0 }).open({ threads, precision }),
    })),
  ),
)
afterAll(() => {
  for (const { device } of devices) device.dispose()
})

describe.each(gridCases)('$name', ({ sum, points, error }) => {
  test.each(devices)('$precision, $threads threads', async ({ device, precision }) => {
    for (let n = 0; n < 2; n++) {
      const found = await device.gridSum?.({ ...sum, precision }, points)
      expect(error(found)).toBeLessThan(precision === 'f64' ? 1e-12 : 1e-5)
    }
  })

  test('the bits do not depend on the threads', async () => {
    for (const precision of ['f32', 'f64'] as const) {
      const found = devices.map(({ device }) => device.gridSum?.({ ...sum, precision }, points))
      const [first, ...others] = await Promise.all(found)
      for (const other of others) expect(other).toEqual(first)
    }
  })
})
