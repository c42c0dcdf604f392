// A simulation copies each array once, and derives its forces once: its creation and its first step share the results.

import { createEngine, gravity, langevin, lennardJones, periodic, type SimulationOptions } from 'manybody'
import { expect, test } from 'vitest'
import { callsDuring } from '../../support/calls.ts'

const count = 300
const spread = (length: number) => Float32Array.from({ length }, (_, n) => (Math.sin(12.9898 * n) * 43758.5453) % 1)
const [position, velocity] = [spread(3 * count).map((x) => 8 * x), new Float32Array(3 * count)]
const ones = new Float32Array(count).fill(1)

test.each<[string, SimulationOptions]>([
  ['gravity', { law: gravity({ softening: 0.1 }), particles: { position, velocity, mass: ones }, dt: 0.01 }],
  [
    'a liquid at a temperature',
    {
      law: lennardJones({ epsilon: 1e-3, sigma: 0.05 }),
      domain: { boundary: periodic([8, 8, 8]), cutoff: 2 },
      particles: { position, velocity, mass: ones },
      dt: 1e-3,
      integrator: langevin({ temperature: 1, friction: 1, seed: 1 }),
    },
  ],
])('%s', async (_, options) => {
  await using engine = await createEngine({ backend: 'cpu-wasm' })
  const work = async () => {
    await using simulation = await engine.simulate(options)
    await simulation.step(1)
  }
  const found = await callsDuring(
    work,
    ['core/src/ground/checks.ts', 'takenArray'],
    ['core/src/problem/workloads/bind.ts', 'pairPoints'],
    ['core/src/simulation/forces/force.ts', 'partsOf'],
  )
  expect(found).toEqual([3, 1, 1])
})

test('another simulation over the same law compiles and derives nothing', async () => {
  await using engine = await createEngine({ backend: 'cpu-wasm' })
  const options = { law: gravity({ softening: 0.1 }), particles: { position, velocity, mass: ones }, dt: 0.01 }
  const work = async () => {
    await using simulation = await engine.simulate(options)
    await simulation.step(1)
  }
  const counted = () =>
    callsDuring(
      work,
      ['core/src/language/differentiate.ts', 'differentiate'],
      ['core/src/language/schedule.ts', 'schedule'],
      ['backend-cpu-wasm/src/run/programs/load.ts', 'load'],
    )
  for (const first of await counted()) expect(first).toBeGreaterThan(0)
  expect(await counted()).toEqual([0, 0, 0])
})

test('a program lives as long as the engine or a simulation needs it', async () => {
  const engine = await createEngine({ backend: 'cpu-wasm' })
  const options = { law: gravity({ softening: 0.1 }), particles: { position, velocity, mass: ones }, dt: 0.01 }
  const [one, other] = [await engine.simulate(options), await engine.simulate(options)]
  for (const simulation of [one, other]) await simulation.step(1)
  const disposedBy = (work: () => void) =>
    callsDuring(async () => {
      work()
      await new Promise((resolve) => setTimeout(resolve, 0))
    }, ['run/programs/program.ts', 'dispose'])
  expect(await disposedBy(() => one.dispose())).toEqual([0])
  expect(await disposedBy(() => engine.dispose())).toEqual([0])
  // The force, and the two maps of the leapfrog.
  expect(await disposedBy(() => other.dispose())).toEqual([3])
})

test('a law that was made here is the law of the simulation: it is not copied and defined again', async () => {
  await using engine = await createEngine({ backend: 'cpu-wasm' })
  const options = { law: gravity({ softening: 0.1 }), particles: { position, velocity, mass: ones }, dt: 0.01 }
  const defined = (law: SimulationOptions['law']) =>
    callsDuring(
      async () => (await engine.simulate({ ...options, law })).dispose(),
      ['core/src/problem/interactions/define.ts', 'defineLaw'],
    )
  expect(await defined(options.law)).toEqual([0])
  expect(await defined(structuredClone(options.law))).toEqual([1])
})
