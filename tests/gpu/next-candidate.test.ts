// Workloads within the language's limits that a graphics device or its compiler rejects. The next candidate runs them, the report says so,
// and the numbers are right.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { webgl } from '@manybody/backend-webgl'
import { webgpu } from '@manybody/backend-webgpu'
import { type Backend, createEngine, type Engine, externalForce, pairTerm, sum } from '@manybody/core'
import { afterAll, describe, expect, test } from 'vitest'
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

/** Points at the whole numbers. The n-th attribute of every point is n. */
const [count, attributes] = [5, 40]
const symbols = Array.from({ length: attributes }, (_, n) => `a${n + 1}`)
const given = Object.fromEntries(symbols.map((name, n) => [name, new Array<number>(count).fill(n + 1)]))
const position = Array.from({ length: 2 * count }, (_, n) => (n % 2 ? 0 : n / 2))
/** For each target, over four sources: 4 times the sum of the squares from 1 to 40. */
const many = { term: symbols.map((name) => `${name}_i*${name}_j`).join(' + '), value: (4 * 40 * 41 * 81) / 6 }

describe.each(names)('a law that binds too many arrays for %s', (name) => {
  test('runs on the CPU', async () => {
    const engine = await engineOf(graphics[name]())
    const workload = sum(pairTerm(many.term)())
    for (let n = 0; n < 2; n++) {
      const { value, report } = await engine.run(workload, { position, ...given, dimension: 2 })
      expect([...value]).toEqual(new Array(count).fill(many.value))
      expect(report.backend).toBe('cpu-wasm')
      expect(report.notes).toHaveLength(1)
      expect(report.notes?.[0]).toMatch(
        new RegExp(`^${name} cannot run this workload: it (binds|reads) \\d+ arrays.*; ran on cpu-wasm$`),
      )
    }
    const { report } = await engine.run(sum(pairTerm('1')()), { position, dimension: 2 })
    expect([report.backend, report.notes]).toEqual([name, undefined])
  })

  test('moves a whole simulation to the CPU', async () => {
    const engine = await engineOf(graphics[name]())
    const total = symbols.join(' + ')
    const simulation = await engine.simulate({
      forces: [externalForce([total, '0'], { inertia: 'a1' })()],
      particles: { position, ...given, dimension: 2 },
      dt: 1,
    })
    await simulation.step(1)
    expect([...(await simulation.read('velocity_x'))]).toEqual(new Array(count).fill((40 * 41) / 2))
    expect(simulation.notes[0]).toMatch(new RegExp(`^${name} cannot run this simulation: .*; ran on cpu-wasm$`))
  })
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
