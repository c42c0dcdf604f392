// Simulations of one engine share the programs of a law. Each must have the bits of the same simulation in an engine of its own.

import {
  createEngine,
  type Engine,
  forces,
  type Interaction,
  lennardJones,
  pairPotential,
  periodic,
  type SimulationOptions,
} from 'manybody'
import { expect, test } from 'vitest'
import { randomOf } from '../../packages/conformance/src/random.ts'
import { programKey } from '../../packages/core/src/engine/program-key.ts'

const count = 60
const random = randomOf(5)
const set = (side: number) => ({
  position: Float64Array.from(random.array(3 * count, 0, side)),
  velocity: new Float64Array(3 * count),
  mass: new Float64Array(count).fill(1),
  kind: Float64Array.from({ length: count }, (_, n) => n % 2),
})

const soft = pairPotential('-G/sqrt(r2 + s^2)', { parameters: { G: 1, s: 0.1 }, inertia: 'mass' })
const near = lennardJones({ epsilon: 1e-3, sigma: 0.1 })
const paired = (a: readonly (readonly number[])[]) =>
  pairPotential('a[kind_i, kind_j]*exp(-r)', { tables: { a }, inertia: 'mass' })()

type Unlike = readonly [SimulationOptions, SimulationOptions]

const unlike: Readonly<Record<string, Unlike>> = {
  parameters: [
    { law: soft(), particles: set(1), dt: 0.01 },
    { law: soft({ G: 2, s: 0.3 }), particles: set(1), dt: 0.01 },
  ],
  'a cutoff and a box': [
    { law: near, domain: { cutoff: 0.3, boundary: periodic([1, 1, 1]) }, particles: set(1), dt: 0.01 },
    { law: near, domain: { cutoff: 0.5, boundary: periodic([2, 2, 3]) }, particles: set(2), dt: 0.01 },
  ],
  exclusions: [
    { law: soft(), domain: { exclusions: [[0, 1]] }, particles: set(1), dt: 0.01 },
    {
      law: soft(),
      domain: {
        exclusions: [
          [2, 3],
          [4, 5],
        ],
      },
      particles: set(1),
      dt: 0.01,
    },
  ],
  tables: [
    {
      law: paired([
        [1, 2],
        [2, 3],
      ]),
      particles: set(1),
      dt: 0.01,
    },
    {
      law: paired([
        [5, 1],
        [1, 0],
      ]),
      particles: set(1),
      dt: 0.01,
    },
  ],
}

/** Steps simulations in turn. */
async function positions(engine: Engine, all: readonly SimulationOptions[]): Promise<readonly number[][]> {
  const simulations = []
  for (const options of all) simulations.push(await engine.simulate({ ...options, capacity: count + 4 }))
  for (let turn = 0; turn < 3; turn++) for (const simulation of simulations) await simulation.step(2)
  const read = []
  for (const simulation of simulations) read.push(Array.from(await simulation.read('position')))
  return read
}

test.each(Object.entries(unlike))('simulations of unlike %s have their own bits', async (_, [one, other]) => {
  const shape = { dimension: 3, targets: count, sources: count, sameSet: true, vectors: ['position'] } as const
  const [key, otherKey] = [one, other].map(({ law, domain }) => programKey(forces(law as Interaction, domain), shape))
  expect(otherKey).toBe(key)
  const together = await createEngine({ backend: 'cpu-wasm', threads: 1 })
  const alone = [
    await createEngine({ backend: 'cpu-wasm', threads: 1 }),
    await createEngine({ backend: 'cpu-wasm', threads: 1 }),
  ]
  try {
    const expected = [
      ...(await positions(alone[0] as Engine, [one])),
      ...(await positions(alone[1] as Engine, [other])),
    ]
    expect(await positions(together, [one, other])).toEqual(expected)
    expect(expected[0]).not.toEqual(expected[1])
  } finally {
    for (const engine of [together, ...alone]) engine.dispose()
  }
})
