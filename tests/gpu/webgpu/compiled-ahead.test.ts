// Workloads that were compiled ahead run on WebGPU like typed ones, and need neither a formula nor a compiler.

import { webgpu } from '@manybody/backend-webgpu'
import { createEngine, pairTerm, sum } from '@manybody/core'
import { compile } from 'manybody/compile'
import { expect, test } from 'vitest'
import { compiledProgram, firstSum, typedProgram } from '../../../scripts/support/first-sum.ts'
import { pull, testCompiled } from '../../support/compiled-ahead.ts'
import { numbers } from '../../support/numbers.ts'

await testCompiled('webgpu', () => createEngine({ backends: [webgpu()] }))

test.each([3, 40])('a sum that is a vector of %i', async (length) => {
  const law = pairTerm('exp(-sum(g*(x_i - x_j)^2))*vector(b_j)', { parameters: { g: [1, 2] } })()
  const compiled = JSON.parse(JSON.stringify(compile(sum(law), { lengths: { x: 2, b: length } }))) as ReturnType<
    typeof sum
  >
  await using engine = await createEngine({ backends: [webgpu()] })
  for (const count of [1, 9, 300]) {
    const particles = { x: numbers(2 * count, 1), b: numbers(length * count, 2), count }
    const options = { parameters: { g: [count, 0.5] } }
    // A typed vector that is short comes in another loop by itself.
    const expected = await engine.run(sum(law), particles, { ...options, plan: { variant: 'vector' } })
    const got = await engine.run(compiled, particles, options)
    expect(got.value).toEqual(expected.value)
    expect(got.report.variant).toBe(expected.report.variant)
  }
})

const compilers =
  /\/language\/(parse|schedule|differentiate|simplify)\.ts|\/src\/compile\/|\/error-analysis\/|\/interactions\//

test('the first sum of a compiled law needs no compiler', async () => {
  const compiled = await firstSum(compiledProgram('webgpu', JSON.stringify(compile(pull, { backends: ['webgpu'] }))))
  expect(compiled.sources.filter((source) => compilers.test(source))).toEqual([])
  const known = await firstSum(typedProgram('webgpu'))
  expect(known.sources.some((source) => compilers.test(source))).toBe(true)
  expect(compiled.output).toBe(known.output)
  expect(compiled.bytes).toBeLessThan(known.bytes)
})
