// The suite demands nothing that float32 cannot achieve: a device that rounds every operation passes it, and so does one
// whose roots, quotients and exponentials are off by more than rounding, as on GPUs.

import { expect, test } from 'vitest'
import { runConformance } from '../src/run-conformance.ts'
import { float32Backend } from './support/float32-backend.ts'
import { exact, graphics } from './support/rounding-language.ts'

test.each([
  ['a processor in float32', float32Backend('cpu', exact)],
  ['a GPU with errors such as WGSL allows', float32Backend('hardware', graphics)],
])('%s passes', async (_, backend) => {
  const { reasons, results } = await runConformance(backend)
  const failed = results
    .filter(({ outcome }) => outcome !== 'passed')
    .map(({ name, faults }) => [name, ...faults].join(': '))
  expect([...reasons, ...failed]).toEqual([])
})
