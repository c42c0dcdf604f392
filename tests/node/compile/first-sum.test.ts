// A page that runs a compiled law loads neither the language of laws nor a compiler.

import { accelerations, gravity, tree } from 'manybody'
import { compile } from 'manybody/compile'
import { expect, test } from 'vitest'
import { compiledProgram, firstSum, typedProgram } from '../../../scripts/support/first-sum.ts'

const compilers =
  /\/language\/(parse|schedule|differentiate|simplify)\.ts|\/src\/compile\/|\/error-analysis\/|\/interactions\//

/** Code that a sum over all pairs does not run. */
const rarer = /\/(matrix-rows|near-share|arrangement|order-table|blocks-model|mesh-program|approximate|simulation)\.ts/

test('the first sum of a compiled law needs no compiler, and equals that of the typed law', async () => {
  const pull = JSON.stringify(compile(accelerations(gravity({ softening: 0.1 }))))
  const compiled = await firstSum(compiledProgram('cpu-wasm', pull))
  expect(compiled.sources.filter((source) => compilers.test(source) || rarer.test(source))).toEqual([])
  const typed = await firstSum(typedProgram('cpu-wasm'))
  expect(typed.sources.some((source) => compilers.test(source))).toBe(true)
  expect(compiled.output).toBe(typed.output)
  expect(compiled.bytes).toBeLessThan(typed.bytes)
})

test('nor does that of a compiled law with a tolerance', async () => {
  const approximate = accelerations(gravity({ softening: 0.1 }), { method: tree({ tolerance: 1e-3 }) })
  const { sources } = await firstSum(compiledProgram('cpu-wasm', JSON.stringify(compile(approximate))))
  expect(sources.filter((source) => compilers.test(source))).toEqual([])
  expect(sources.some((source) => source.endsWith('/tolerance/approximate.ts'))).toBe(true)
})
