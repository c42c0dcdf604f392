// A page that runs a compiled law loads neither the language of laws nor a compiler.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { accelerations, gravity, tree } from 'manybody'
import { compile } from 'manybody/compile'
import { expect, test } from 'vitest'
import { compiledProgram, firstSum, typedProgram } from '../../../scripts/support/first-sum.ts'
import { root } from '../../../tools/pnpm.mjs'

const compilers = [
  ...['parse', 'schedule', 'differentiate', 'simplify'].map((name) => `/language/${name}.ts`),
  ...['/src/compile/', '/error-analysis/', '/interactions/'],
]
const isCompiler = isOneOf(compilers)

/** Code that a sum over all pairs does not run. */
const rarer = [
  ...['matrix-rows', 'near-share', 'near-code', 'arrangement', 'order-table', 'blocks-model', 'mesh-program'],
  ...['approximate', 'simulation'],
].map((name) => `/${name}.ts`)
const isRarer = isOneOf(rarer)

function isOneOf(parts: readonly string[]): (source: string) => boolean {
  return (source) => parts.some((part) => source.includes(part))
}

test('the names of code that must not load are names of sources', () => {
  const folder = join(root, 'packages')
  const sources = readdirSync(folder).flatMap((name) =>
    readdirSync(join(folder, name, 'src'), { recursive: true, encoding: 'utf8' }).map((file) => `/src/${file}`),
  )
  for (const part of [...compilers, ...rarer])
    expect(
      sources.some((source) => source.includes(part)),
      part,
    ).toBe(true)
})

test('the first sum of a compiled law needs no compiler, and equals that of the typed law', async () => {
  const pull = JSON.stringify(compile(accelerations(gravity({ softening: 0.1 }))))
  const compiled = await firstSum(compiledProgram('cpu-wasm', pull))
  expect(compiled.sources.filter((source) => isCompiler(source) || isRarer(source))).toEqual([])
  const typed = await firstSum(typedProgram('cpu-wasm'))
  expect(typed.sources.some(isCompiler)).toBe(true)
  expect(compiled.output).toBe(typed.output)
  expect(compiled.bytes).toBeLessThan(typed.bytes)
})

test('nor does that of a compiled law with a tolerance', async () => {
  const approximate = accelerations(gravity({ softening: 0.1 }), { method: tree({ tolerance: 1e-3 }) })
  const { sources } = await firstSum(compiledProgram('cpu-wasm', JSON.stringify(compile(approximate))))
  expect(sources.filter(isCompiler)).toEqual([])
  expect(sources.some((source) => source.endsWith('/tolerance/approximate.ts'))).toBe(true)
})
