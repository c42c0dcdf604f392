// The suite demands nothing that float32 cannot achieve: it accepts a device with roots, quotients and exponentials as inexact as on
// GPUs. cpu-wasm shows the same for a processor that rounds every operation correctly.

import { expect, test } from 'vitest'
import { runConformance } from '../src/run-conformance.ts'
import { float32Backend } from './support/float32-backend.ts'
import { graphics, roundingLanguage } from './support/rounding-language.ts'

test('a GPU with errors such as WGSL allows passes', async () => {
  // Its loops read no vectors; cpu-wasm and the real devices show them.
  const gaps = [{ case: /^vectors: /, reason: 'vectors are not read' }]
  const { reasons, results } = await runConformance(float32Backend('hardware', graphics), { gaps })
  const failed = results
    .filter(({ outcome }) => outcome !== 'passed' && outcome !== 'gap')
    .map(({ name, faults }) => [name, ...faults].join(': '))
  expect([...reasons, ...failed]).toEqual([])
})

test('the error of an operation and one rounding are all that a simulated GPU adds', () => {
  const rounding = roundingLanguage({ root: 1.5, division: 2, exponential: 2.5, oneSided: true }, () => 0)
  const root = rounding.value(rounding.language.power('v[0]', -0.5))
  const errors = Array.from({ length: 1000 }, (_, n) => {
    const x = Math.fround(1 + 3 * Math.sin(n) ** 2)
    return Math.abs(root(Float64Array.of(x)) * Math.sqrt(x) - 1)
  })
  expect(Math.max(...errors)).toBeGreaterThan(3 * 2 ** -24)
  expect(Math.max(...errors)).toBeLessThan(4.01 * 2 ** -24)
})
