// When gpu.js is loaded: it is large, and most pages have WebGPU. A separate file, because each file has a separate page.

import { expect, test } from 'vitest'

const loaded = () => performance.getEntriesByType('resource').some(({ name }) => /\bgpu(\.|__)js/.test(name))

test('opening a device loads gpu.js, but a probe does not', async () => {
  // A page remembers only 250 files by default.
  performance.setResourceTimingBufferSize(10_000)
  const { webgl } = await import('../../src/index.ts')
  expect(await webgl().probe()).toMatchObject({ available: true })
  expect(loaded()).toBe(false)
  const device = await webgl().open()
  expect(loaded()).toBe(true)
  device.dispose()
})
