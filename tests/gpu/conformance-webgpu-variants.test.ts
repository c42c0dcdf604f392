// The suite again, with a variant requested by name for every workload that folds pairs: ranges, exclusions, boxes.
// Each case under one of the variants.

import { webgpu } from '@manybody/backend-webgpu'
import { describeConformance } from '@manybody/conformance'
import type { Backend, Device, Plan, Workload } from '@manybody/core'
import { afterAll, describe, test } from 'vitest'
import { sharing } from '../support/share.ts'

// Small sizes, because a software GPU takes seconds to compile unrolled loops.
const plans: readonly Plan[] = [
  { variant: 'tiled-vectorised', sizes: { workgroup: 16, unroll: 2 } },
  { variant: 'subgroup-shuffle', sizes: { workgroup: 16, targets: 1, unroll: 1, parts: 2 } },
]

for (const [n, plan] of plans.entries())
  describe(plan.variant, () =>
    describeConformance({ describe, test: sharing(test, n, plans.length), afterAll }, asking(webgpu(), plan), {
      required: true,
    }),
  )

/** The backend, running pair loops under a plan. */
function asking(backend: Backend, plan: Plan): Backend {
  const folds = (w: Workload) => w.loop === 'pair' && w.reduction !== 'none'
  return {
    name: backend.name,
    probe: (options) => backend.probe(options),
    async open(options): Promise<Device> {
      const device = await backend.open(options)
      return {
        info: device.info,
        lost: device.lost,
        supports: (workload, shape) => device.supports(workload, shape),
        prepare: (workload, shape) => device.prepare(workload, shape, folds(workload) ? plan : undefined),
        buffer: (length) => device.buffer(length),
        sequence: (stages) => device.sequence(stages),
        dispose: () => device.dispose(),
      }
    },
  }
}
