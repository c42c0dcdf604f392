// Sums through a mesh over points in a plane, on every device: the grid is flat there, and both parts together meet the tolerance. On
// WebGPU, the grid of a box is a part of each step.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { webgl } from '@manybody/backend-webgl'
import { webgpu } from '@manybody/backend-webgpu'
import {
  createEngine,
  forces,
  mesh,
  open,
  type PairWorkload,
  pairPotential,
  pairTerm,
  periodic,
  type Report,
  type SumOptions,
  sum,
} from '@manybody/core'
import { afterAll, describe, expect, test } from 'vitest'
import { angleContexts } from '../support/angle.ts'

const count = 300
const noise = (n: number) => (Math.abs(Math.sin(12.9898 * (n + 1))) * 43758.5453) % 1
const position = Float64Array.from({ length: 2 * count }, (_, n) => noise(n))
const q = Float64Array.from({ length: count }, (_, n) => (n % 2 ? -1 : 1))
const points = { position, q, dimension: 2 } as const
const gas = (k: number) => pairPotential('-k*q_i*q_j*log(r)', { parameters: { k } })()
const vortices = pairTerm({ u: '-q_j*dy/(r2 + 0.001)', v: 'q_j*dx/(r2 + 0.001)' })()
const places = {
  'in a box': periodic([1, 1]),
  'in an oblique box': periodic({ a: [1, 0], b: [0.3, 1] }),
  'in open space': open(),
}
const sums: Readonly<Record<string, (options: SumOptions) => PairWorkload>> = {
  forces: (options) => forces(gas(1), options),
  vortices: (options) => sum(vortices, options),
}
const cases = Object.entries(sums).flatMap(([of, make]) =>
  Object.entries(places).map(([where, boundary]) => [of, where, boundary, make] as const),
)

const judge = await createEngine({ backends: [cpuWasm()], precision: 'f64' })
afterAll(() => judge.dispose())

describe.each([
  ['webgpu', async () => webgpu()],
  ['webgl', async () => webgl({ context: await angleContexts(2) })],
  ['cpu-wasm', async () => cpuWasm()],
] as const)('%s', async (name, backend) => {
  const engine = await createEngine({ backends: [await backend()] })
  afterAll(() => engine.dispose())

  test.each(cases)('%s %s', async (_of, _where, boundary, make) => {
    const run = async (on: typeof judge | typeof engine, tolerance: number) => {
      const { report, ...results } = await on.run(make({ boundary, method: mesh({ tolerance }) }), points)
      return { report: report as Report, values: Object.values(results)[0] as unknown as Float64Array }
    }
    const [found, truth] = [await run(engine, 1e-4), await run(judge, 1e-7)]
    expect(found.report.error).toMatchObject({ ok: true, tolerance: 1e-4 })
    expect(found.report.variant).toMatch(
      name === 'webgl' ? /^mesh \(.*grid \d+ x \d+ on the host\)/ : /^mesh \(.*grid \d+ x \d+\)/,
    )
    expect(apart(found.values, truth.values)).toBeLessThan(5e-3)
  })

  // Pairs that do not act on each other. Some are so close that their forces would leave no digits of the others.
  const pairs = Array.from({ length: count / 2 }, (_, n) => [2 * n, 2 * n + 1] as const)
  const paired = position.map((x, n) => (n % 4 >= 2 && n < count ? (position[n - 2] as number) + 1e-4 : x))
  test.each([
    ['in a box', ''],
    ['in an oblique box', ''],
    ['in an oblique box', ' with excluded pairs'],
    ['in open space', ' with excluded pairs'],
  ] as const)('a simulation %s%s', async (where, excluded) => {
    const exclusions = excluded === '' ? [] : pairs
    const boundary = places[where]
    const simulation = await engine.simulate({
      particles: {
        position: exclusions.length > 0 ? paired : position,
        velocity: position.map((x) => x - 0.5),
        ...{ q, mass: q.map(() => 1), dimension: 2 },
      },
      forces: [
        {
          law: pairPotential('-k*q_i*q_j*log(r)', { parameters: { k: 1e-4 }, inertia: 'mass' })(),
          ...{ boundary, exclusions, method: mesh({ tolerance: 1e-4 }) },
        },
      ],
      dt: 1e-4,
    })
    for (const k of [1e-4, 3e-4]) {
      await simulation.set({ parameters: { k } } as never)
      await simulation.step(2)
      const [found, place] = [await simulation.read('acceleration'), await simulation.read('position')]
      const exact = forces(gas(k), { boundary, exclusions, method: mesh({ tolerance: 1e-7 }) })
      const { force } = await judge.run(exact, { ...points, position: Float64Array.from(place) })
      expect(apart(found, force)).toBeLessThan(5e-3)
    }
    const [error] = await simulation.forceErrors()
    expect(error).toMatchObject({ ok: true, step: 4 })
    expect(error?.variant.includes('on the host')).toBe(name === 'webgl')
    expect(Math.abs(error?.net as number)).toBeLessThan(1e-5)
    simulation.dispose()
  })
})

/** The root mean square of differences, divided by that of the truth. */
function apart(found: ArrayLike<number>, truth: Float64Array): number {
  expect(found).toHaveLength(truth.length)
  const square = (of: (x: number, n: number) => number) => truth.reduce((all, x, n) => all + of(x, n) ** 2, 0)
  return Math.sqrt(square((x, n) => x - (found[n] as number)) / square((x) => x))
}
