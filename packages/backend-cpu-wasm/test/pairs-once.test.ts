// Each pair once against the float64 reference, at counts around the ends of blocks, on one thread and two.

import {
  accelerations,
  coulomb,
  type Device,
  type FloatArray,
  forces,
  gravity,
  lennardJones,
  pairTerm,
  periodic,
  potentials,
  reference,
  sum,
} from '@manybody/core'
import { bind } from '@manybody/core/backend'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cpuWasm } from '../src/index.ts'
import { points, spread } from './support/points.ts'

const workloads = {
  gravity: accelerations(gravity({ softening: 0.05 })),
  coulomb: forces(coulomb()),
  'periodic Lennard-Jones': accelerations(lennardJones(), { boundary: periodic([1, 1, 1]), cutoff: 0.5 }),
  potential: potentials(gravity({ softening: 0.05 })),
  'symmetric term': sum(pairTerm('charge_i*charge_j*exp(-r2)')()),
  'self included': sum(pairTerm('charge_i + charge_j')(), { self: 'include' }),
}

describe.each([1, 2])('on %i thread(s)', (threads) => {
  const devices: Record<string, Device> = {}
  let truth: Device
  beforeAll(async () => {
    truth = await reference().open({ precision: 'f64' })
    for (const precision of ['f32', 'f64'] as const)
      devices[precision] = await cpuWasm({ threadsFrom: 0 }).open({ threads, precision })
  })
  afterAll(() => {
    for (const device of Object.values(devices)) device.dispose()
  })

  it.each(Object.entries(workloads))('%s', async (_, workload) => {
    for (const count of [1, 255, 257, 700]) {
      const sizes = { sigma: spread(count, 5, 0.02, 0.05), epsilon: spread(count, 6) }
      const { bindings, shape } = bind(workload, { ...points(count), ...sizes })
      const [name = ''] = workload.results
      const expected = (await (await truth.prepare(workload, shape)).run(bindings))[name] as FloatArray
      const scale = Math.max(...expected.map(Math.abs), 1e-30)
      for (const [precision, bound] of [
        ['f32', 2e-6],
        ['f64', 1e-13],
      ] as const) {
        const program = await devices[precision]?.prepare(workload, shape, { variant: 'pairs-once' })
        const got = (await program?.run(bindings))?.[name] as FloatArray
        expect(program?.report.variant).toMatch(/^pairs-once/)
        expect(got.length).toBe(expected.length)
        for (const [i, value] of got.entries())
          expect(Math.abs(value - (expected[i] as number)) / scale, `${count} ${i}`).toBeLessThan(bound)
      }
    }
  })
})
