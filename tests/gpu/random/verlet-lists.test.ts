// Verlet lists of random points that move, on the software GPU.

import { webgpu } from '@manybody/backend-webgpu'
import { afterAll, expect, test } from 'vitest'
import { seeds } from '../../support/random/problem.ts'
import { verletFaults } from '../../support/random/verlet-lists.ts'

const device = await webgpu().open()
afterAll(() => device.dispose())

test.each(seeds(24))('seed %i', async (seed) => {
  expect(await verletFaults(device, seed)).toEqual([])
})

test('counts outside those of other cutoffs are faults', async () => {
  expect(await verletFaults(device, 3, -(2 ** -9))).not.toEqual([])
})
