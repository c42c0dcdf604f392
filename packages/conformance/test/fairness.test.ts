// The suite demands nothing that float32 cannot achieve: a device passes it whose roots, quotients and exponentials are off by
// more than rounding, as on GPUs. A processor that rounds every operation correctly is cpu-wasm.

import { expect, test } from 'vitest'
import { runConformance } from '../src/run-conformance.ts'
import { float32Backend } from './support/float32-backend.ts'
import { graphics } from './support/rounding-language.ts'

test('a GPU with errors such as WGSL allows passes', async () => {
  const { reasons, results } = await runConformance(float32Backend('hardware', graphics))
  const failed = results
    .filter(({ outcome }) => outcome !== 'passed')
    .map(({ name, faults }) => [name, ...faults].join(': '))
  expect([...reasons, ...failed]).toEqual([])
})
