// Cells that are smaller than two cutoffs, beside the same cell repeated until it is larger. Every case runs on every backend.

import {
  type Boundary,
  externalPotential,
  pairForce,
  pairPotential,
  pairTerm,
  periodic,
  rungeKutta4,
  type SimulationOptions,
} from '@manybody/core'
import { expect } from 'vitest'
import { numbers } from '../numbers.ts'
import { at, farthest, type PhysicsCase, within } from './physics/effort.ts'

const soft = pairPotential('charge_i*charge_j*exp(-r2)', { name: 'soft', inertia: 'mass' })
const friction = pairForce(
  { x: 'velocity_x_j - velocity_x_i', y: 'velocity_y_j - velocity_y_i', z: 'velocity_z_j - velocity_z_i' },
  { name: 'friction', inertia: 'mass' },
)
const near = pairTerm('mass_j*exp(-r2/2)')
const crowd = externalPotential('density^2/8', { name: 'crowd', inertia: 'mass' })

const count = 12
const start = {
  velocity: [...numbers(3 * count, 7)].map((x) => x - 0.5),
  mass: [...numbers(count, 8)].map((x) => 1 + x),
  charge: [...numbers(count, 9)].map((x) => x - 0.5),
}

type Vectors = readonly (readonly number[])[]

const boxes: readonly (readonly [name: string, boundary: (times: number) => Boundary, vectors: Vectors])[] = [
  ['a slab', (times) => periodic([2 * times, 3 * times, Number.POSITIVE_INFINITY]), [[2, 0, 0], [0, 3, 0]]],
  [
    'a triclinic box',
    (times) => periodic({ a: [2 * times, 0, 0], b: [0.5 * times, 2.5 * times, 0], c: [-0.5 * times, 0.75 * times, 3 * times] }),
    [[2, 0, 0], [0.5, 2.5, 0], [-0.5, 0.75, 3]],
  ],
] // biome-ignore format: vectors

/** Three cells along each vector, the first one first. */
const cells = (vectors: Vectors): Vectors =>
  vectors.reduce<Vectors>(
    (all, vector) => [0, 1, 2].flatMap((n) => all.map((cell) => cell.map((x, axis) => x + n * at(vector, axis)))),
    [[0, 0, 0]],
  )

const repeated = (array: readonly number[], times: number) => Array.from({ length: times }, () => array).flat()

export const smallCellSimulations: readonly PhysicsCase[] = boxes.map(
  ([name, boundary, vectors]): PhysicsCase => [
    `${name} smaller than two cutoffs moves as the same box repeated`,
    async (engine) => {
      const position = [...numbers(3 * count, 6)].map((x, n) => x * at([2, 2.5, 3], n % 3))
      const described = (box: Boundary, shifts: Vectors): SimulationOptions => {
        const domain = { boundary: box, cutoff: 2.2 }
        return {
          forces: [{ law: soft(), ...domain, switchDistance: 1 }, { law: friction(), ...domain, cutoff: 1.4 }, crowd()],
          computed: { density: { law: near(), ...domain, switchDistance: 1 } },
          particles: {
            position: Float64Array.from(shifts.flatMap((shift) => position.map((x, n) => x + at(shift, n % 3)))),
            velocity: Float64Array.from(repeated(start.velocity, shifts.length)),
            ...{ mass: repeated(start.mass, shifts.length), charge: repeated(start.charge, shifts.length) },
          },
          ...{ dt: 1 / 16, integrator: rungeKutta4 },
        }
      }
      const all = cells(vectors)
      await using small = await engine.simulate(described(boundary(1), [[0, 0, 0]]))
      await using large = await engine.simulate(described(boundary(3), all))
      for (const steps of [0, 5]) {
        await small.step(steps)
        await large.step(steps)
        for (const array of ['position', 'velocity', 'acceleration', 'density']) {
          const [some, others] = [await small.read(array), await large.read(array)]
          expect(farthest(some, others.subarray(0, some.length)), `${array} after ${steps} steps`).toBeLessThan(within(engine, 2e-13, 4e-5)) // biome-ignore format: one check
        }
        const [one, many] = [await small.pressure({ volume: 1 }), await large.pressure({ volume: all.length })]
        expect(Math.abs(one - many)).toBeLessThan(within(engine, 1e-11, 2e-4))
      }
      await small.write('mass', start.mass.map((m) => 2 * m)) // biome-ignore format: one call
      await large.write('mass', repeated(start.mass.map((m) => 2 * m), all.length)) // biome-ignore format: one call
      const [some, others] = [await small.read('density'), await large.read('density')]
      expect(farthest(some, others.subarray(0, count))).toBeLessThan(within(engine, 2e-13, 4e-5))
    },
  ],
)
