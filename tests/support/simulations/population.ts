// Points that come and go in a simulation with a capacity: it does as one without, which makes its programs again. Every case runs on
// every backend.

import {
  coulomb,
  type Engine,
  externalForce,
  externalPotential,
  firstOrderRungeKutta4,
  gravity,
  langevin,
  type Precision,
  pairForce,
  pairPotential,
  periodic,
  rungeKutta4,
  type Simulation,
  type SimulationOptions,
  velocityVerlet,
} from '@manybody/core'
import { expect } from 'vitest'

type AnyEngine = Engine<Precision>
type AnySimulation = Simulation<Precision>

const some = (count: number, seed: number) => ({
  position: Float32Array.from({ length: 2 * count }, (_, n) => 6 * Math.sin(12.9898 * (n + 1 + seed) ** 2)),
  velocity: Float32Array.from({ length: 2 * count }, (_, n) => Math.cos(n * (1 + seed))),
  mass: Float32Array.from({ length: count }, (_, n) => 1 + ((n + seed) % 3)),
  dimension: 2,
})

const drag = externalForce('-0.25*velocity + cos(3*time)', { inertia: 'mass' })
const friction = pairForce({ x: 'velocity_x_j - velocity_x_i', y: 'velocity_y_j - velocity_y_i' }, { inertia: 'mass' })
const spring = pairPotential('k*(r - rest)^2/2', { name: 'spring', parameters: { k: 4, rest: 1 } })
const repulsion = pairPotential('(1 - r)^2', { name: 'repulsion', inertia: 'mass' })
const law = gravity({ softening: 1 })
const rest = { dt: 1 / 64, particles: some(90, 0) }
const fixed = [3, 80]
const still = rest.particles.velocity.map((v, n) => (fixed.includes(n >> 1) ? 0 : v))

/** By name: the simulation, and how much its numbers may depend on the sizes of programs. */
const systems: Readonly<Record<string, SimulationOptions>> = {
  'one law': { law, ...rest },
  'forces that read the time, and fixed points': {
    forces: [law, drag()],
    ...{ ...rest, fixed, particles: { ...rest.particles, velocity: still } },
  },
  'forces that read velocities': { forces: [{ law: friction(), cutoff: 1 }, law], integrator: rungeKutta4, ...rest },
  'bonds and exclusions': {
    forces: [
      { law, exclusions: [[1, 2], [20, 30], [0, 50]] }, // biome-ignore format: a list
      { law: spring(), bonds: [[1, 2], [2, 7], [7, 88], [60, 61]], attributes: { rest: [1, 2, 3, 1] } }, // biome-ignore format: a list
    ],
    ...rest,
    integrator: velocityVerlet,
  },
  'a box, where near points are listed': {
    forces: [{ law: repulsion(), cutoff: 1, boundary: periodic([13, 13]) }],
    ...rest,
  },
  noise: { forces: [law], ...rest, integrator: langevin({ temperature: 1, friction: 1, seed: 3, dimension: 2 }) },
  'adaptive steps': { forces: [law, drag()], ...rest, dt: { length: 1, shortest: 1e-4, longest: 0.1 } },
}

async function expectEqual(one: AnySimulation, other: AnySimulation, allowed: number) {
  for (const name of ['position', 'velocity', 'acceleration', 'mass']) {
    const [some, others] = [await one.read(name), await other.read(name)]
    expect(some.length, name).toBe(others.length)
    const worst = Math.max(0, ...Array.from(some, (x, n) => Math.abs(x - (others[n] ?? Number.NaN))))
    expect(worst, name).toBeLessThanOrEqual(allowed)
  }
  expect([one.steps, one.time]).toEqual([other.steps, other.time])
}

const cases = Object.entries(systems).map(
  ([name, options]) =>
    [
      `points come and go within a capacity: ${name}`,
      async (engine: AnyEngine) => {
        // Programs of other sizes may add in another order.
        const allowed = engine.device.info.precision === 'f64' ? 1e-11 : 1e-4
        await using roomy = await engine.simulate({ ...options, capacity: 120 })
        await using other = await engine.simulate(options)
        const both = [roomy, other]
        for (const one of both) await one.step(2)
        for (const one of both) expect(await one.add(some(7, 1))).toBe(90)
        for (const one of both) await one.write('mass', [2], { indices: [92] })
        for (const one of both) await one.step(2)
        await expectEqual(roomy, other, allowed)
        for (const one of both) {
          const places = await one.remove([5, 96, 6, 11])
          expect([places.length, places[4], places[5], places[7], places[95]]).toEqual([97, 4, -1, 5, 92])
        }
        for (const one of both) await one.write('mass', [3], { indices: [92] })
        for (const one of both) await one.step(1)
        for (const one of both) await one.write('position', [1, 0.5], { first: 92 })
        for (const one of both) await one.write('mass', [2], { indices: [92] })
        await expectEqual(roomy, other, allowed)
        for (const one of both) await one.add(some(30 - 3, 2))
        for (const one of both) await one.remove(Array.from({ length: 27 }, (_, n) => 90 + n))
        for (const one of both) await one.step(2)
        await expectEqual(roomy, other, allowed)
        const state = structuredClone(await roomy.snapshot())
        expect(state.capacity).toBe(120)
        await using again = await engine.resume(state)
        for (const one of [roomy, again]) await one.step(2)
        await expectEqual(roomy, again, 0)
        await again.add(some(27, 3))
        await expect(again.add(some(4, 3))).rejects.toThrow(
          '"points" expected at most 120 in all, the capacity of the simulation, got 124; remove some, or simulate with a larger capacity',
        )
      },
    ] as const,
)

export const populationSimulations: readonly (readonly [name: string, run: (engine: AnyEngine) => Promise<void>])[] = [
  ...cases,
  [
    'points come and go in first-order motion, until none is left and some come back',
    async (engine) => {
      const { velocity: _, ...particles } = some(20, 0)
      const { velocity: _v, ...more } = some(3, 1)
      await using simulation = await engine.simulate({
        ...{ law, particles, integrator: firstOrderRungeKutta4, dt: 1 / 64, capacity: 23 },
      })
      await simulation.step(1)
      await simulation.add(more)
      await simulation.step(1)
      expect((await simulation.read('velocity')).length).toBe(46)
      const gone = await simulation.remove('mass > 0')
      expect(gone.every((place) => place === -1)).toBe(true)
      expect(await simulation.read('position')).toHaveLength(0)
      await simulation.step(1)
      await simulation.add(more)
      await simulation.step(1)
      await using other = await engine.simulate({
        ...{ law, particles: more, integrator: firstOrderRungeKutta4, dt: 1 / 64 },
      })
      await other.step(1)
      const [one, two] = [await simulation.read('position'), await other.read('position')]
      expect(Math.max(...Array.from(one, (x, n) => Math.abs(x - (two[n] as number))))).toBeLessThan(1e-5)
    },
  ],
  [
    'the first points come into a simulation with a capacity, then others in place',
    async (engine) => {
      const none = { position: [], velocity: [], mass: [], dimension: 2 }
      await using simulation = await engine.simulate({ law, particles: none, dt: 1 / 64, capacity: 12 })
      // Its arrays lie behind those of the other.
      await using other = await engine.simulate({ law, particles: some(7, 0), dt: 1 / 64, capacity: 12 })
      await simulation.step(1)
      await other.step(1)
      expect(await simulation.add(some(7, 1))).toBe(0)
      await simulation.step(1)
      await simulation.remove([2])
      expect(await simulation.add(some(3, 2))).toBe(6)
      await simulation.step(1)
      await using alone = await engine.simulate({ law, particles: some(7, 1), dt: 1 / 64 })
      await alone.step(1)
      await alone.remove([2])
      await alone.add(some(3, 2))
      await alone.step(1)
      for (const name of ['position', 'velocity', 'mass']) {
        const [one, two] = [await simulation.read(name), await alone.read(name)]
        expect(one).toHaveLength(two.length)
        expect(Math.max(...Array.from(one, (x, n) => Math.abs(x - (two[n] as number)))), name).toBeLessThan(1e-4)
      }
      await using unchanged = await engine.simulate({ law, particles: some(7, 0), dt: 1 / 64, capacity: 12 })
      await unchanged.step(1)
      for (const one of [other, unchanged]) await one.step(2)
      expect(await other.read('position')).toEqual(await unchanged.read('position'))
    },
  ],
  [
    'forces read components of the vectors of points that come first',
    async (engine) => {
      const none = { position: [], mass: [], heat: [], dimension: 2 }
      const first = { position: [0, 0, 3, 1], mass: [1, 2], heat: [1, 2, 3, -1], dimension: 2 }
      const flow = pairForce({ x: 'heat_x_j - heat_x_i', y: 'heat_y_j' }, { inertia: 'mass' })
      const push = externalPotential('-heat_x*position_y', { inertia: 'mass' })
      for (const forces of [[flow()], [push()]] as const) {
        await using simulation = await engine.simulate({ forces, particles: none, dt: 1 / 64, capacity: 4 })
        await simulation.step(2)
        if (forces[0].kind === 'external potential') expect((await simulation.energy()).total).toBe(0)
        await using again = await engine.resume(await simulation.snapshot())
        await using alone = await engine.simulate({ forces, particles: first, dt: 1 / 64, capacity: 4, t0: 2 / 64 })
        for (const one of [simulation, again]) await one.add(first)
        for (const one of [simulation, again, alone]) await one.step(3)
        for (const one of [simulation, again]) {
          expect([one.steps, one.time]).toEqual([5, alone.time])
          expect(await one.read('position')).toEqual(await alone.read('position'))
        }
      }
    },
  ],
  [
    'points come in any form, and as they were when they were given',
    async (engine) => {
      const particles = { position: [0, 0, 3, 0], mass: [1, 2], dimension: 2 }
      const numbers = { position: [1, 2, 0.1, 0.2], velocity: [0, 0, 0, 0], mass: [1, 1] }
      const typed = (Type: typeof Float32Array | typeof Float64Array) =>
        Object.fromEntries(Object.entries(numbers).map(([name, list]) => [name, Type.from(list)]))
      const { velocity: _, ...still } = typed(Float64Array)
      const forms = [numbers, { ...typed(Float64Array), dimension: 2 }, still] as SimulationOptions['particles'][]
      const ends: unknown[] = []
      for (const form of forms) {
        await using simulation = await engine.simulate({ law, particles, dt: 1 / 64, capacity: 4 })
        await simulation.step(1)
        expect(await simulation.add(form)).toBe(2)
        await simulation.step(1)
        ends.push(await simulation.read('position'), (await simulation.snapshot()).arrays)
      }
      expect(ends.slice(2)).toEqual([...ends.slice(0, 2), ...ends.slice(0, 2)])
      await using simulation = await engine.simulate({ law, particles, dt: 1 / 64, capacity: 8 })
      const given = typed(Float32Array) as Record<'position' | 'velocity' | 'mass', Float32Array>
      const places = [0]
      const calls = [simulation.step(1), simulation.add(given), simulation.add(given), simulation.remove(places)]
      for (const array of Object.values(given)) array.fill(7)
      places[0] = 1
      await Promise.all(calls)
      expect(Array.from(await simulation.read('mass'))).toEqual([2, 1, 1, 1, 1])
      await simulation.add({ ...given, position: given.position.fill(5) })
      given.mass.fill(9)
      await expect(simulation.add({ ...given, mass: given.mass.fill(Number.NaN) })).rejects.toThrow(
        '"mass" expected finite numbers, got NaN at index 0',
      )
      await expect(simulation.add({ ...given, mass: Float32Array.of(1) })).rejects.toThrow('"mass" expected length 2')
      expect(Array.from(await simulation.read('mass'))).toEqual([2, 1, 1, 1, 1, 7, 7])
      expect(Array.from((await simulation.snapshot()).arrays.mass ?? [])).toEqual([2, 1, 1, 1, 1, 7, 7])
    },
  ],
  [
    'frames, sums and energies have the points of now',
    async (engine) => {
      await using simulation = await engine.simulate({
        ...{ forces: [coulomb()], dt: 1 / 64, capacity: 12 },
        particles: { position: [0, 0, 3, 0], mass: [1, 2], charge: [1, 1], dimension: 2 },
      })
      let frame = 0
      for await (const { position } of simulation.frames({ reuse: true })) {
        expect(position).toHaveLength(4 + 2 * Math.min(frame, 2))
        if (frame === 3) break
        if (frame < 2) await simulation.add({ position: [9 + frame, 9], mass: [4], charge: [1], dimension: 2 })
        frame++
      }
      expect(await simulation.total({ mass: 'mass' })).toEqual({ mass: 11 })
      const { potential: before } = await simulation.energy()
      await simulation.remove([2, 3])
      const { potential: after } = await simulation.energy()
      expect(before).toBeGreaterThan(after)
      expect(after).toBeCloseTo(1 / 3, 2)
      expect(await simulation.total({ mass: 'mass' })).toEqual({ mass: 3 })
      expect(Array.from(await simulation.momentum())).toHaveLength(2)
    },
  ],
]
