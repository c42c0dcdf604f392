// Sums through a grid on WebGPU, against the host's grid in float64.

import { webgpu } from '@manybody/backend-webgpu'
import { afterAll, describe, expect, test } from 'vitest'
import { gridCases } from '../../packages/core/test/support/grid-cases.ts'

const device = await webgpu().open()
afterAll(() => device.dispose())

describe.each(gridCases)('$name', ({ sum, points, error }) => {
  test('agrees with the host, and repeats its bits', async () => {
    const found = await device.gridSum?.(sum, points)
    expect(error(found)).toBeLessThan(1e-5)
    expect(await device.gridSum?.(sum, points)).toEqual(found)
  })
})

test('leaves float64 and long lines to the host', async () => {
  const [{ sum, points }] = gridCases as readonly [(typeof gridCases)[0]]
  expect(await device.gridSum?.({ ...sum, precision: 'f64' }, points)).toBeUndefined()
  expect(await device.gridSum?.({ ...sum, sizes: [16, 16, 8192] }, points)).toBeUndefined()
})
