// Who computes the grid of a mesh: a device may leave a grid to the host, and the report says so.

import { expect, test } from 'vitest'
import { type Backend, coulomb, createEngine, type Device, forces, mesh, periodic, reference } from '../../src/index.ts'
import { hostGridSum } from '../../src/methods/mesh/grid/host-grid.ts'
import { numbersBetween, random } from '../support/random.ts'

const next = random(67)
const position = numbersBetween(next, 60, 0, 1)
const charge = Float64Array.from({ length: 20 }, (_, n) => (n % 2 ? 1 : -1))

test.each<[string, Device['gridSum'], boolean]>([
  ['has no grids', undefined, true],
  ['leaves the grid to the host', async () => undefined, true],
  ['computes the grid', async (sum, points) => hostGridSum(sum, points), false],
])('a device that %s', async (_, gridSum, onHost) => {
  const backend: Backend = {
    ...reference(),
    async open(options) {
      const device = await reference().open(options)
      return gridSum ? Object.assign(device, { gridSum }) : device
    },
  }
  await using engine = await createEngine({ backends: [backend], precision: 'f64' })
  const workload = forces(coulomb(), { boundary: periodic([1, 1, 1]), method: mesh({ tolerance: 1e-4 }) })
  const { report } = await engine.run(workload, { position, charge })
  expect(report.error?.ok).toBe(true)
  expect(report.variant.includes('on the host')).toBe(onHost)
})
