// The suite again, with a variant requested by name for every workload that folds pairs: ranges, exclusions, boxes. A quarter of the cases run
// under one of the variants, another quarter under a profile of `hardware-plans.test.ts`. Some cases with a cutoff also run by blocks of points.

import { webgpu } from '@manybody/backend-webgpu'
import { describeConformance } from '@manybody/conformance'
import type { Backend, Device, PairWorkload, Plan, Workload } from '@manybody/core'
import { afterAll, describe, expect, test } from 'vitest'
import { inShare, sharing } from '../support/share.ts'

// Small sizes, because a software GPU takes seconds to compile unrolled loops.
const plans: readonly Plan[] = [
  { variant: 'tiled-vectorised', sizes: { workgroup: 16, unroll: 2 } },
  { variant: 'subgroup-shuffle', sizes: { workgroup: 16, targets: 1, unroll: 1, parts: 2 } },
]

for (const [n, plan] of plans.entries())
  describe(plan.variant, () =>
    describeConformance(
      { describe, test: sharing(test, n, 4 * plans.length), afterAll },
      asking(webgpu(), (w) => (folds(w) ? plan : undefined)),
      { required: true },
    ),
  )

/** A test runner for a sixth of the cases with a cutoff, selected by their names, and for the suite's other tests. */
const near = Object.assign(
  (name: string, body: () => void | Promise<void>) => {
    const cut = /cutoff|within|half a box/.test(name) && inShare(name, 0, 6)
    if (cut || !/, f(32|64)$/.test(name)) test(name, body)
  },
  { skip: (name: string, body: () => void) => test.skip(name, body) },
)
describe('blocks', async () => {
  const prepared: string[] = []
  const planOf = (w: Workload): Plan | undefined => {
    if (!folds(w) || w.domain.cutoff === undefined) return undefined
    prepared.push(w.reduction)
    return { variant: 'blocks' }
  }
  await describeConformance({ describe, test: near, afterAll }, asking(webgpu(), planOf), {
    required: true,
  })
  afterAll(() => expect(new Set(prepared).size).toBeGreaterThan(3))
})

function folds(w: Workload): w is PairWorkload {
  return w.loop === 'pair' && w.reduction !== 'none'
}

/** The backend with loops under given plans. */
function asking(backend: Backend, planOf: (workload: Workload) => Plan | undefined): Backend {
  return {
    name: backend.name,
    probe: (options) => backend.probe(options),
    async open(options): Promise<Device> {
      const device = await backend.open(options)
      return {
        info: device.info,
        lost: device.lost,
        supports: (workload, shape) => device.supports(workload, shape),
        prepare: (workload, shape) => device.prepare(workload, shape, planOf(workload)),
        buffer: (length) => device.buffer(length),
        sequence: (stages) => device.sequence(stages),
        dispose: () => device.dispose(),
      }
    },
  }
}
