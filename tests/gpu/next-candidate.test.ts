// Workloads within the language's limits that a graphics device or its compiler rejects. The next candidate runs them, the report says so,
// and the numbers are right.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { webgl } from '@manybody/backend-webgl'
import { webgpu } from '@manybody/backend-webgpu'
import { type Backend, createEngine, type Engine, nearest, pairForce, pairTerm, sum } from '@manybody/core'
import { compile } from 'manybody/compile'
import { afterAll, expect, test } from 'vitest'
import { angleContexts } from '../support/angle.ts'

const context = await angleContexts(2)
const engines: Engine[] = []
afterAll(() => {
  for (const engine of engines) engine.dispose()
})

async function engineOf(graphics: Backend): Promise<Engine> {
  const backends = [graphics, cpuWasm({ threadsFrom: 0 })]
  const engine = await createEngine({ backends, backend: [graphics.name, 'cpu-wasm'], threads: 2 })
  engines.push(engine)
  expect(engine.device.info.backend).toBe(graphics.name)
  return engine
}

const graphics = { webgpu: () => webgpu(), webgl: () => webgl({ context }) }
const names = Object.keys(graphics) as (keyof typeof graphics)[]

/** Points at the whole numbers. */
const count = 5
const position = Array.from({ length: 2 * count }, (_, n) => (n % 2 ? 0 : n / 2))

/** The neighbours that a device keeps for each target, and one more. */
const kept = { webgpu: 256, webgl: 16 }

test.each(names)('more neighbours than %s keeps are found on the CPU', async (name) => {
  const engine = await engineOf(graphics[name]())
  const k = kept[name] + 1
  const line = Array.from({ length: 2 * (k + 1) }, (_, n) => (n % 2 ? 0 : n / 2))
  for (let n = 0; n < 2; n++) {
    const { index, report } = await engine.run(nearest(k), { position: line, dimension: 2 })
    expect([...index.slice(0, k)]).toEqual(Array.from({ length: k }, (_, n) => n + 1))
    expect(report.backend).toBe('cpu-wasm')
    expect(report.notes).toHaveLength(1)
    expect(report.notes?.[0]).toMatch(new RegExp(`^${name} cannot run this workload: .*neighbours.*; ran on cpu-wasm$`))
  }
  const { report } = await engine.run(sum(pairTerm('1')()), { position, dimension: 2 })
  expect([report.backend, report.notes]).toEqual([name, undefined])
})

/** The n-th attribute of every point is n. */
const many = Array.from({ length: 300 }, (_, n) => `a${n + 1}`)
const given = Object.fromEntries(many.map((name, n) => [name, new Array<number>(count).fill(n + 1)]))

test('a simulation with a force that a device cannot run moves to the CPU', async () => {
  const engine = await engineOf(webgl({ context }))
  const simulation = await engine.simulate({
    forces: [pairForce(many.map((name) => `${name}_i*${name}_j`).join(' + '), { inertia: 'a1' })()],
    particles: { position, ...given, dimension: 2 },
    dt: 1,
  })
  await simulation.step(1)
  expect(simulation.notes[0]).toMatch(
    /^webgl cannot run this simulation: .*a source with 300 attributes takes .*; ran on cpu-wasm$/,
  )
})

/** A formula for the distance r itself, with 130 nested choices: deeper nesting than WGSL allows. */
const nested = `${'select(r < 0, 0, '.repeat(130)}r${')'.repeat(130)}`
/** A sum of 255 different terms. */
const long = Array.from({ length: 255 }, (_, n) => `cos(${n + 1}*r)`).join(' + ')

const ofLong = (r: number) => Array.from({ length: 255 }, (_, n) => Math.cos((n + 1) * r)).reduce((a, b) => a + b)

test.each([
  ['webgpu', 'a nested choice', nested, (r: number) => r],
  ['webgl', 'a long sum', long, ofLong],
] as const)('a program that %s does not compile, %s, runs on the CPU', async (name, _, term, law) => {
  const engine = await engineOf(graphics[name]())
  const { value, report } = await engine.run(sum(pairTerm(term)()), { position, dimension: 2 })
  const right = Array.from({ length: count }, (_, i) =>
    Array.from({ length: count }, (_, j) => (i === j ? 0 : law(Math.abs(i - j)))).reduce((a, b) => a + b),
  )
  for (const [i, expected] of right.entries()) expect(value[i]).toBeCloseTo(expected, 4)
  expect(report.backend).toBe('cpu-wasm')
  expect(report.notes?.[0]).toMatch(
    new RegExp(`^${name} cannot run this workload: its program does not compile \\([^]*\\); ran on cpu-wasm$`),
  )
})

test.each(names)('a vector that was not compiled for %s runs on the CPU', async (name) => {
  const engine = await engineOf(graphics[name]())
  const workload = sum(pairTerm('vector(b_j)')())
  const compiled = JSON.parse(JSON.stringify(compile(workload, { backends: ['cpu-wasm'], lengths: { b: 40 } })))
  const { value, report } = await engine.run(compiled as typeof workload, { b: new Float32Array(80).fill(1), count: 2 })
  expect(new Set(value)).toEqual(new Set([1]))
  expect(report.backend).toBe('cpu-wasm')
  expect(report.notes).toEqual([expect.stringMatching(`^${name} cannot run this workload: .*; ran on cpu-wasm$`)])
})
