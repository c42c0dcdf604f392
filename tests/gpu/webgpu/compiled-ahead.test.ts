// Workloads that were compiled ahead run on WebGPU like typed ones, and need neither a formula nor a compiler.

import { webgpu } from '@manybody/backend-webgpu'
import { createEngine } from '@manybody/core'
import { compile } from 'manybody/compile'
import { expect, test } from 'vitest'
import { compiledProgram, firstSum, typedProgram } from '../../../scripts/support/first-sum.ts'
import { pull, testCompiled } from '../../support/compiled-ahead.ts'

await testCompiled('webgpu', () => createEngine({ backends: [webgpu()] }))

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
