// A sum with a tolerance on the processor calls no function for each node or point. The module does that work, and a table tells it about
// the memory.

import { accelerations, createEngine, gravity, tree } from 'manybody'
import { expect, test } from 'vitest'
import { callsInFolder } from '../../support/calls.ts'

const pull = accelerations(gravity({ softening: 0.05 }), { method: tree({ tolerance: 1e-2 }) })
const spread = (length: number) => Float32Array.from({ length }, (_, n) => (Math.sin(12.9898 * n) * 43758.5453) % 1)
const points = (count: number) => ({ position: spread(3 * count), mass: new Float32Array(count).fill(1) })

test.each([
  ['backend-cpu-wasm/src/run/placement', 200],
  // The code that judges the error looks at some tens of targets.
  ['core/src/methods/tolerance', 1500],
])('%s', async (folder, most) => {
  await using engine = await createEngine({ backend: 'cpu-wasm', threads: 1 })
  const calls: number[] = []
  for (const count of [9000, 36_000]) {
    const data = points(count)
    // The first call finds a setting, and the second compiles the code that judges it from then on.
    for (let n = 0; n < 2; n++) await engine.run(pull, data)
    calls.push(await callsInFolder(() => engine.run(pull, data), folder))
    expect((await engine.run(pull, data)).report.variant).toContain('tree')
  }
  const [few = 0, many = 0] = calls
  expect(few).toBeGreaterThan(10)
  expect(many).toBeLessThan(most)
  // Sorting more points takes a few more phases.
  expect(many - few).toBeLessThan(20)
})
