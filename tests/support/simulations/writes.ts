// What is written while a simulation runs: some of its points, points that are held, bonds and exclusions. Every case runs on every
// backend.

import {
  type Engine,
  externalForce,
  gravity,
  langevin,
  leapfrog,
  type Precision,
  pairPotential,
  rungeKutta4,
  type Simulation,
  type SimulationOptions,
  semiImplicitEuler,
} from '@manybody/core'
import { expect } from 'vitest'
import { exactly } from '../exactly.ts'

type AnyEngine = Engine<Precision>
type AnySimulation = Simulation<Precision>

const count = 150
const particles = {
  position: Float32Array.from({ length: 2 * count }, (_, n) => 8 * Math.sin(12.9898 * (n + 1) ** 2)),
  velocity: Float32Array.from({ length: 2 * count }, (_, n) => Math.cos(n)),
  mass: Float32Array.from({ length: count }, (_, n) => 1 + (n % 3)),
  dimension: 2,
}
const cloud: SimulationOptions = { law: gravity({ softening: 1 }), particles, dt: 1 / 64, integrator: leapfrog }

const spring = pairPotential('k*(r - rest)^2/2', { name: 'spring', parameters: { k: 4, rest: 1 } })
const drag = externalForce('-velocity', { inertia: 'mass' })
const chain: SimulationOptions = {
  forces: [
    { law: gravity({ G: 0.125, softening: 0.5 }), exclusions: [[0, 1]] },
    { law: spring(), bonds: [[0, 1], [1, 2], [2, 3]] }, // biome-ignore format: a list
    drag(),
  ],
  particles: { position: [0, 0, 1, 0, 2, 0, 3, 0.5], mass: [1, 1, 2, 1], dimension: 2 },
  ...{ integrator: semiImplicitEuler, dt: 1 / 32 },
}

const read = async (simulation: AnySimulation, name: string) => Array.from(await simulation.read(name))

async function expectEqual(one: AnySimulation, other: AnySimulation, allowed = 0) {
  for (const name of ['position', 'velocity', 'acceleration']) {
    const [some, others] = [await read(one, name), await read(other, name)]
    const worst = Math.max(...some.map((x, n) => Math.abs(x - (others[n] ?? Number.NaN))))
    expect(worst, name).toBeLessThanOrEqual(allowed)
  }
}

export const writeSimulations: readonly (readonly [name: string, run: (engine: AnyEngine) => Promise<void>])[] = [
  [
    'numbers of some points are written as those of all are, by the first point or by indices',
    async (engine) => {
      await using some = await engine.simulate(cloud)
      await using all = await engine.simulate(cloud)
      const scattered = Array.from({ length: 70 }, (_, n) => 2 * n + 1).reverse()
      const writes = [
        ['position', { first: 3 }, [3, 4], 2],
        ['velocity', { indices: [5, 149, 6, 0] }, [5, 149, 6, 0], 2],
        ['position', { indices: scattered }, scattered, 2],
        ['mass', { first: 148 }, [148, 149], 1],
        ['mass', { indices: [7] }, [7], 1],
      ] as const
      for (const [name, options, points, width] of writes) {
        for (const one of [some, all]) await one.step(1)
        const numbers = Float32Array.from({ length: width * points.length }, (_, n) => 2 + Math.sin(n))
        const whole = name === 'mass' ? (await all.read(name)).slice() : await exactly(all, name)
        for (const [n, point] of points.entries())
          for (let axis = 0; axis < width; axis++) whole[width * point + axis] = numbers[width * n + axis] as number
        await some.write(name, numbers, options)
        await all.write(name, whole)
        await expectEqual(some, all)
        expect(await read(some, name)).toEqual(Array.from(await all.read(name)))
      }
      for (const one of [some, all]) await one.step(2)
      await expectEqual(some, all)
      await using again = await engine.resume(await some.snapshot())
      for (const one of [some, again]) await one.step(2)
      await expectEqual(some, again)
      await some.write('position', [], { first: 0 })
      await some.write('position', [], { indices: [] })
      await expectEqual(some, again)
    },
  ],
  [
    'forces that are computed when they are needed are those that each step would end with',
    async (engine) => {
      for (const integrator of [semiImplicitEuler, rungeKutta4]) {
        await using late = await engine.simulate({ ...cloud, integrator })
        await using early = await engine.simulate({ ...cloud, integrator })
        const frames = [
          (one: AnySimulation) => one.write('G', 2),
          (one: AnySimulation) => one.write('position', [3, 1], { first: 7 }),
          (one: AnySimulation) => one.set({ dt: 1 / 32 }),
          (one: AnySimulation) => one.write('fixed', [2]),
        ]
        for (const [n, change] of frames.entries()) {
          for (const one of [late, early]) {
            await change(one)
            await one.step(1 + n)
          }
          await early.read('acceleration')
          for (const one of [late, early]) await one.step(2)
          await early.read('acceleration')
        }
        await expectEqual(late, early)
        await using again = await engine.resume(await late.snapshot())
        await late.write('G', 1)
        await again.write('G', 1)
        for (const one of [late, again]) await one.step(2)
        await expectEqual(late, again)
      }
    },
  ],
  [
    'a point is pinned, dragged and released, and the others follow',
    async (engine) => {
      await using simulation = await engine.simulate(chain)
      await simulation.step(4)
      await simulation.write('fixed', [3])
      const [, , , , , , x = 0, y = 0] = await read(simulation, 'position')
      await simulation.step(4)
      expect((await read(simulation, 'position')).slice(6)).toEqual([x, y])
      expect((await read(simulation, 'velocity')).slice(6)).toEqual([0, 0])
      await simulation.write('position', [6, 2], { first: 3 })
      await simulation.step(200)
      const dragged = await read(simulation, 'position')
      expect(dragged.slice(6)).toEqual([6, 2])
      expect(Math.hypot(dragged[4] as number, dragged[5] as number)).toBeGreaterThan(3)
      expect((await simulation.snapshot()).fixed).toEqual([3])
      await simulation.write('fixed', [0, 3])
      await simulation.write('position', [-4, -1], { indices: [0] })
      await simulation.write('fixed', [0])
      await simulation.step(60)
      const released = await read(simulation, 'position')
      expect(released.slice(0, 2)).toEqual([-4, -1])
      expect(Math.hypot((released[6] as number) - 6, (released[7] as number) - 2)).toBeGreaterThan(0.01)
      await using again = await engine.resume(structuredClone(await simulation.snapshot()))
      for (const one of [simulation, again]) await one.step(3)
      await expectEqual(simulation, again)
      await simulation.write('fixed', [])
      expect((await simulation.snapshot()).fixed).toBeUndefined()
      expect(await simulation.temperature({ degrees: 8 })).toBeGreaterThan(0)
      const before = await read(simulation, 'position')
      await simulation.step(4)
      expect((await read(simulation, 'position'))[0]).not.toBe(before[0])
    },
  ],
  [
    'noise leaves pinned points alone, and finds released ones where a resumed run does',
    async (engine) => {
      const integrator = langevin({ temperature: 1, friction: 1, seed: 3, dimension: 2 })
      await using simulation = await engine.simulate({ ...chain, integrator })
      await simulation.step(3)
      for (const fixed of [[1], [2, 1], [0]]) {
        await simulation.write('fixed', fixed)
        await using again = await engine.resume({ ...(await simulation.snapshot()), checksum: undefined })
        for (const one of [simulation, again]) await one.step(3)
        await expectEqual(simulation, again, engine.device.info.precision === 'f64' ? 1e-13 : 1e-5)
        const velocity = await read(simulation, 'velocity')
        for (const point of fixed) expect(velocity.slice(2 * point, 2 * point + 2)).toEqual([0, 0])
      }
    },
  ],
  [
    'bonds and exclusions are replaced, and the run goes on as one that is resumed with them',
    async (engine) => {
      await using simulation = await engine.simulate(chain)
      await simulation.step(5)
      const [attraction, bonded, ...others] = chain.forces as [object, object, ...never[]]
      const bonds = [[3, 0], [1, 2]] as const // biome-ignore format: a list
      const attributes = { rest: [0.5, 2] }
      const forces = [{ ...attraction, exclusions: bonds }, { ...bonded, bonds, attributes }, ...others] as never[]
      await using other = await engine.resume({ ...(await simulation.snapshot()), forces, checksum: undefined })
      await simulation.write('bonds', bonds, { attributes })
      await simulation.write('exclusions', bonds)
      expect([simulation.steps, simulation.time]).toEqual([5, 5 / 32])
      for (const one of [simulation, other]) await one.step(5)
      await expectEqual(simulation, other)
      await simulation.write('bonds', [], { attributes: { rest: [] } })
      await simulation.step(1)
      expect((await simulation.snapshot()).forces?.[1]).toMatchObject({ bonds: [] })
    },
  ],
  [
    'points are added and removed, and the run goes on as one that is made with them',
    async (engine) => {
      await using simulation = await engine.simulate({ ...chain, fixed: [3] })
      await simulation.step(4)
      expect(await simulation.add({ position: [5, 1, 6, 2], velocity: [0, 1, 0, 0], mass: [3, 4], dimension: 2 })).toBe(
        4,
      )
      expect(await simulation.add({ position: [9, 9], mass: [1], dimension: 2 })).toBe(6)
      expect([simulation.steps, simulation.time]).toEqual([4, 4 / 32])
      expect((await read(simulation, 'velocity')).slice(8)).toEqual([0, 1, 0, 0, 0, 0])
      await simulation.write('bonds', [[1, 2], [2, 3], [3, 5]]) // biome-ignore format: a list
      await simulation.step(4)
      const before = await read(simulation, 'position')
      expect(Array.from(await simulation.remove([0, 4]))).toEqual([-1, 0, 1, 2, -1, 3, 4])
      const kept = before.filter((_, n) => ![0, 1, 8, 9].includes(n))
      expect(await read(simulation, 'position')).toEqual(kept)
      expect(await read(simulation, 'mass')).toEqual([1, 2, 1, 4, 1])
      const { forces, fixed, steps } = await simulation.snapshot()
      expect([forces?.[1], fixed, steps]).toMatchObject([{ bonds: [[0, 1], [1, 2], [2, 3]] }, [2], 8]) // biome-ignore format: a list
      expect(forces?.[0]).toMatchObject({ exclusions: [] })
      expect(Array.from(await simulation.remove('position_x > 8'))).toEqual([0, 1, 2, 3, -1])
      const parts = { position: await exactly(simulation, 'position'), velocity: await exactly(simulation, 'velocity') }
      const particles = { ...parts, mass: [1, 2, 1, 4], dimension: 2 }
      const four = (await simulation.snapshot()).forces ?? []
      await using other = await engine.simulate({ ...chain, forces: four, particles, fixed: [2] })
      for (const one of [simulation, other]) await one.step(6)
      await expectEqual(simulation, other)
      await using again = await engine.resume(structuredClone(await simulation.snapshot()))
      for (const one of [simulation, again]) await one.step(2)
      await expectEqual(simulation, again)
      expect(Array.from(await simulation.remove([]))).toEqual([0, 1, 2, 3])
      await simulation.write('bonds', [])
      await simulation.remove('mass > 0')
      expect(await read(simulation, 'position')).toEqual([])
      await simulation.step(1)
      await simulation.add({ position: [1, 2], mass: [1], dimension: 2 })
      await simulation.step(1)
      expect(await read(simulation, 'position')).toEqual([1, 2])
    },
  ],
]
