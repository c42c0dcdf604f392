// The variants that depend most on the compiler and the driver, in the browser: subgroups, packed loads, slices.

import { webgpu } from '@manybody/backend-webgpu'
import type { Particles } from '@manybody/core'
import {
  accelerations,
  cellIndex,
  gradient,
  gravity,
  nearest,
  type Plan,
  periodic,
  type Workload,
} from '@manybody/core'
import { bind, errorBound, errorNorms, truthOf } from '@manybody/core/judge'
import { expect, test } from 'vitest'
import { numbers } from '../support/numbers.ts'
import { deep } from '../support/share.ts'

const device = await webgpu().open()
const points = { position: numbers(399, 1), mass: numbers(133, 2) }

const pairs: readonly Workload[] = [accelerations(gravity({ softening: 0.05 })), nearest(3)]
const plans: readonly Plan[] = [
  { variant: 'vectorised', sizes: { targets: 2, parts: 2 } },
  { variant: 'tiled-vectorised', sizes: { workgroup: 32, unroll: 2 } },
  { variant: 'register-blocked', sizes: { workgroup: 32, targets: 2, unroll: 2 } },
  { variant: 'split', sizes: { workgroup: 16, targets: 2, unroll: 2, parts: 3 } },
  { variant: 'sliced', sizes: { workgroup: 32, slices: 4, unroll: 2 } },
  { variant: 'subgroup-shuffle', sizes: { workgroup: 32, targets: 2, unroll: 2, parts: 2 } },
]
for (const plan of plans)
  test(plan.variant, async () => {
    for (const workload of pairs) await expectTruth(workload, points, plan)
  })

test('each-pair-once computes right results in the browser', async () => {
  await expectTruth(accelerations(gravity({ softening: 0.05 })), points, { variant: 'each-pair-once' })
})

test('group-minima computes right results in the browser', async () => {
  await expectTruth(nearest(3), points, { variant: 'group-minima', sizes: { workgroup: 32, group: 8, parts: 2 } })
})

// A software GPU in a browser compiles this loop for half a minute, mostly the zeros of its workgroup memory.
test.runIf(deep)('blocks compute right results in the browser', async () => {
  const near = nearest(3, { cutoff: 0.4, boundary: periodic([1, 1, 1]) })
  await expectTruth(near, points, { variant: 'blocks', sizes: { workgroup: 32, targets: 8 } })
})

test('staged and marching compute right results in the browser', async () => {
  await expectTruth(cellIndex({ cells: [5, 7, 3], spacing: 0.2 }), points, { variant: 'staged' })
  const field = { field: numbers(5 * 7 * 9, 3) }
  await expectTruth(gradient({ cells: [5, 7, 9], spacing: 0.1 }), field, { variant: 'marching' })
})

async function expectTruth(workload: Workload, particles: Particles, plan: Plan): Promise<void> {
  const { shape, bindings } = bind(workload, particles)
  const truth = truthOf(workload, shape, bindings)
  const program = await device.prepare(workload, shape, plan)
  const results = await program.run(bindings)
  expect(program.report.variant).toContain(plan.variant)
  for (const name of workload.results) {
    const [got = [], expected = []] = [results[name], truth.results[name]]
    if (got instanceof Float32Array) {
      const { max } = errorNorms(got, expected, truth.scales[name] ?? [])
      expect(max).toBeLessThan(errorBound(program.report, shape.sources))
    } else expect([...got]).toEqual([...expected])
  }
}
