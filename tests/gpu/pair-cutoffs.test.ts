// A cutoff for each pair in a running simulation. The same force without a cutoff, which is 0 beyond it, gives the expected places.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { webgl } from '@manybody/backend-webgl'
import { webgpu } from '@manybody/backend-webgpu'
import {
  createEngine,
  type Engine,
  type PairForceOptions,
  pairPotential,
  pairTerm,
  periodic,
  sum,
} from '@manybody/core'
import { afterAll, describe, expect, test } from 'vitest'
import { angleContexts } from '../support/angle.ts'

const [count, edge] = [400, 10]
const noise = (n: number) => Math.abs((Math.sin(12.9898 * (n + 1)) * 43758.5453) % 1)
const points = {
  position: Float32Array.from({ length: 3 * count }, (_, n) => edge * noise(n)),
  velocity: Float32Array.from({ length: 3 * count }, (_, n) => noise(n + 5000) - 0.5),
  mass: new Float32Array(count).fill(1),
  radius: Float32Array.from({ length: count }, (_, n) => (n % 20 === 0 ? 0.5 : 0.2) * (0.5 + noise(n + 9000))),
}
const boundary = periodic([edge, edge, edge])
const options = { parameters: { reach: 1, k: 5 }, inertia: 'mass' }
const push = 'k*(1 - r/(reach*(radius_i + radius_j)))^3'
const within: PairForceOptions = {
  law: pairPotential(push, options)(),
  cutoff: 'reach*(radius_i + radius_j)',
  boundary,
}
const everywhere: PairForceOptions = {
  law: pairPotential(`select(r < reach*(radius_i + radius_j), ${push}, 0)`, options)(),
  boundary,
}

const larger = points.radius.map((radius) => 2 * radius)
const dt = 0.01

/** Steps with changes between them. Lists for several steps must hold through all of them. */
async function moved(engine: Engine, force: PairForceOptions): Promise<{ places: number[][]; energies: number[] }> {
  const simulation = await engine.simulate({ particles: points, forces: [force], dt })
  const [places, energies]: [number[][], number[]] = [[], []]
  const look = async () => {
    places.push([...(await simulation.read('position'))])
    energies.push((await simulation.energy()).potential)
  }
  await simulation.step(30)
  await look()
  await simulation.write('radius', larger)
  await simulation.step(20)
  await look()
  await simulation.set({ parameters: { reach: 1.5 } })
  await simulation.step(1)
  await look()
  await simulation.write('radius', [1.2], { first: 7 })
  await simulation.set({ parameters: { reach: 0.7 } })
  await simulation.step(20)
  await look()
  simulation.dispose()
  return { places, energies }
}

const engines = {
  'cpu-wasm, f32': () => createEngine({ backends: [cpuWasm()] }),
  'cpu-wasm, f64': () => createEngine({ backends: [cpuWasm()], precision: 'f64' as 'f32' }),
  webgpu: () => createEngine({ backends: [webgpu()] }),
  webgl: async () => createEngine({ backends: [webgl({ context: await angleContexts(2) })] }),
}
const opened: Engine[] = []
afterAll(() => {
  for (const engine of opened) engine.dispose()
})

test('a repeated run looks farther if its points have grown', async () => {
  const engine = await engines['cpu-wasm, f32']()
  opened.push(engine)
  const workload = sum(pairTerm('radius_j')(), { cutoff: 'radius_i + radius_j' })
  const still = { position: points.position, radius: points.radius }
  for (let n = 0; n < 3; n++) await engine.run(workload, still)
  const { value } = await engine.run(workload, { ...still, radius: larger })
  const expected = await engine.run(sum(pairTerm('radius_j*select(r <= radius_i + radius_j, 1, 0)')()), {
    ...still,
    radius: larger,
  })
  for (const [n, sum] of expected.value.entries()) expect(value[n]).toBeCloseTo(sum, 4)
})

const near =
  'min(2, select(min(q_i, q_j) > 0, radius_i + radius_j - 0.1*(sqrt(q_i) + sqrt(q_j)), 0.7*(radius_i + radius_j)))'

test.each(['cpu-wasm, f32', 'cpu-wasm, f64'] as const)(
  'pairs count whose sizes lose their value while it runs, on %s',
  async (name) => {
    const engine = await engines[name]()
    opened.push(engine)
    const law = pairPotential(`k*(1 - r/(${near}))^3`, { parameters: { k: 5 }, inertia: 'mass' })()
    const particles = { ...points, radius: larger, q: new Float32Array(count).fill(0.25) }
    const after = async (force: PairForceOptions) => {
      const simulation = await engine.simulate({ particles, forces: [force], dt })
      await simulation.step(10)
      await simulation.write('q', new Float32Array(count).fill(-1))
      await simulation.step(10)
      const position = await simulation.read('position')
      simulation.dispose()
      return position
    }
    const got = await after({ law, cutoff: near, boundary })
    const all = `select(r < ${near}, k*(1 - r/(${near}))^3, 0)`
    const expected = await after({ law: pairPotential(all, { parameters: { k: 5 }, inertia: 'mass' })(), boundary })
    expect(Math.max(...got.map((x, n) => Math.abs(x - (expected[n] as number))))).toBeLessThan(2e-4)
  },
)

test('a reach beyond half the box is refused, and the simulation goes on', async () => {
  const engine = await engines['cpu-wasm, f64']()
  opened.push(engine)
  const simulation = await engine.simulate({ particles: points, forces: [within], dt })
  await expect(simulation.set({ parameters: { reach: 20 } })).rejects.toThrow(
    /"cutoff" expected at most half the shortest/,
  )
  await simulation.step(2)
  expect(simulation.steps).toBe(2)
  await expect(
    engine.simulate({ particles: points, forces: [{ ...within, cutoff: '1 + velocity_x_i' }], dt }),
  ).rejects.toThrow(/"cutoff" expected attributes that only a caller changes, got velocity_x/)
  simulation.dispose()
})

describe('a cutoff for each pair in a simulation', () => {
  let truth: ReturnType<typeof moved> | undefined
  const judged = async () => {
    const judge = await engines['cpu-wasm, f64']()
    opened.push(judge)
    return moved(judge, everywhere)
  }
  for (const [name, open] of Object.entries(engines))
    test(name, async () => {
      const engine = await open()
      opened.push(engine)
      truth ??= judged()
      const [expected, got] = [await truth, await moved(engine, within)]
      const tolerance = name.endsWith('f64') ? 1e-7 : 2e-4
      for (const [n, places] of expected.places.entries()) {
        const off = places.map((x, at) => Math.abs(x - (got.places[n]?.[at] as number)))
        expect(Math.max(...off), `places after change ${n}`).toBeLessThan(tolerance)
        expect(got.energies[n]).toBeCloseTo(expected.energies[n] as number, name.endsWith('f64') ? 6 : 2)
      }
    })
})
