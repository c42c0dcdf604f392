// When gpu.js is loaded: it is large, and most pages have WebGPU. A separate file, because each file has a separate page.

import { expect, test } from 'vitest'
import { webgl } from '../src/index.ts'

const loaded = () => performance.getEntriesByType('resource').some(({ name }) => /\bgpu(\.|__)js/.test(name))

test('opening a device loads gpu.js, but a probe does not', async () => {
  expect(await webgl().probe()).toMatchObject({ available: true })
  expect(loaded()).toBe(false)
  const device = await webgl().open()
  expect(loaded()).toBe(true)
  device.dispose()
})
