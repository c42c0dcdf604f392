// The CPU backend in a browser: threads are really on in an isolated page, and an eighth of the suite passes there, with the checks of
// arrays, runs and the device itself.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { describeConformance } from '@manybody/conformance'
import { accelerations, createEngine, gravity } from 'manybody'
import { afterAll, describe, expect, test } from 'vitest'
import { arraysAndRuns, sharing } from '../support/share.ts'

test('two threads take part in a run', async () => {
  await using engine = await createEngine({ backends: [cpuWasm({ threadsFrom: 0 })], threads: 2 })
  expect(engine.device.info.features).toContain('threads')
  const position = Float32Array.from({ length: 3000 }, (_, n) => (n * 0.618034) % 1)
  const mass = new Float32Array(1000).fill(1)
  const workload = accelerations(gravity({ softening: 0.05 }))
  let variant = ''
  // A worker takes part once it has started.
  for (let attempt = 0; attempt < 10_000 && !variant.includes('2 threads'); attempt++) {
    variant = (await engine.run(workload, { position, mass })).report.variant
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  expect(variant).toContain('2 threads')
})

await describeConformance(
  { describe, test: sharing(test, 1, 8, arraysAndRuns), afterAll },
  cpuWasm({ threadsFrom: 0 }),
  {
    required: true,
    open: { threads: 2 },
  },
)
