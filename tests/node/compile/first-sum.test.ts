// A page that runs a compiled law loads neither the language of laws nor a compiler.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { accelerations, energy, gravity, pairTerm, sum, tree } from 'manybody'
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
  ...['approximate', 'simulation', 'vector-sets', 'cutoff-bound', 'exclusions', 'kind-sizes'],
  ...['prepared-call', 'bind-elements', 'map-set'],
  ...['ranged-loop', 'pairs-once-loop', 'block-sizes', 'vector-sum', 'expressions/functions'],
  ...['run/programs/stages', 'run/programs/either'],
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
  expect(typed.sources.filter(isRarer)).toEqual([])
  expect(compiled.output).toBe(typed.output)
  expect(compiled.bytes).toBeLessThan(typed.bytes)
})

test.each([
  ['that calls a function', "forces(pairPotential('exp(-r2)')())"],
  ['with a power too large for products', "forces(pairPotential('(1 + r2)^-70')())"],
  ['with a half power too large for products', "sum(pairTerm('(1 + r2)^-70.5')())"],
  ['with a cutoff of each pair', "accelerations(gravity(), { cutoff: '0.5*(mass_i + mass_j)' })"],
  ['with exclusions', 'accelerations(gravity(), { exclusions: [[0, 1]] })'],
  ['of vectors', "sum(pairTerm('exp(-sqdist(x_i, x_j))*mass_j')())"],
])('the first sum of a law %s loads what it needs, and is right', async (_, workload) => {
  const { output } = await firstSum(`
import { accelerations, createEngine, forces, gravity, pairPotential, pairTerm, sum } from 'manybody'
const position = Float32Array.from({ length: 1200 }, (_, n) => Math.sin(n))
const mass = new Float32Array(400).fill(1)
const engine = await createEngine({ backend: 'cpu-wasm', threads: 1 })
const { ok } = await engine.verify(${workload}, { position, x: position, mass })
console.log(ok)
engine.dispose()`)
  expect(output).toBe('true\n')
})

test('nor does that of a compiled law with a tolerance', async () => {
  const approximate = accelerations(gravity({ softening: 0.1 }), { method: tree({ tolerance: 1e-3 }) })
  const { sources } = await firstSum(compiledProgram('cpu-wasm', JSON.stringify(compile(approximate))))
  expect(sources.filter(isCompiler)).toEqual([])
  expect(sources.some((source) => source.endsWith('/tolerance/approximate.ts'))).toBe(true)
})

/** A page that makes no workload, and an engine with two devices. The first one refuses vectors. */
const page = (compiled: object, run: string) => `
import { createEngine, UnsupportedWorkloadError } from '@manybody/core/run'
import { cpuWasm } from '@manybody/backend-cpu-wasm'
const refusing = {
  ...cpuWasm(),
  async open(options) {
    const device = await cpuWasm().open(options)
    const prepare = device.prepare.bind(device)
    const refuse = async () => { throw new UnsupportedWorkloadError('sum', 'cpu-wasm', 'it was compiled for others') }
    const or = (workload, shape, plan) => (shape.lengths ? refuse() : prepare(workload, shape, plan))
    return Object.defineProperties(device, { sumsVectors: { value: false }, prepare: { value: or } })
  },
}
const backends = [refusing, { ...cpuWasm(), name: 'second' }]
const engine = await createEngine({ backends, backend: ['cpu-wasm', 'second'], threads: 1 })
const compiled = JSON.parse(${JSON.stringify(JSON.stringify(compiled))})
${run}
engine.dispose()`

const x = '[0, 0, 1, 1]'
const copies = sum(pairTerm('sqdist(x_i, x_j)*vector(b_j)')())
const whole = compile(copies, { lengths: { x: 2, b: 3 }, backends: ['cpu-wasm'] })

test('a compiled vector that a device refuses runs on the next one, with no compiler', async () => {
  const run = `const { value, report } = await engine.run(compiled, { x: ${x}, b: [1, 2, 3, 4, 5, 6], count: 2 })
console.log(value.join(' '), report.notes.length)`
  const { output, sources } = await firstSum(page(whole, run))
  expect(output).toBe('8 10 12 2 4 6 1\n')
  expect(sources.filter(isCompiler)).toEqual([])
})

test.each([
  ['a vector', whole, `{ x: ${x}, b: [1, 2, 3, 4, 5, 6], count: 2 }`],
  ['a sum', compile(accelerations(gravity())), '{ position: [0, 0, 0, 1, 0, 0], mass: [1, 2] }'],
  ['a total', compile(energy(gravity())), '{ position: [0, 0, 0, 1, 0, 0], mass: [1, 2] }'],
])('a page that makes no workload verifies %s that was compiled', async (_, compiled, points) => {
  const run = `const { ok, report } = await engine.verify(compiled, ${points}); console.log(ok, report.timings.compile >= 0)`
  expect((await firstSum(page(compiled, run))).output).toBe('true true\n')
})
