// Events of simulations: bodies that merge, bounce or leave. Every case runs on every backend.

import {
  coulomb,
  type Engine,
  type EventReport,
  gravity,
  mesh,
  type Precision,
  periodic,
  type SimulationEvent,
  semiImplicitEuler,
  tree,
} from '@manybody/core'
import { expect } from 'vitest'

type AnyEngine = Engine<Precision>

const touch = 'r < radius_i + radius_j'
const merge: SimulationEvent = {
  pairs: touch,
  resolve: 'merge',
  rules: { radius: '(radius_i^3 + radius_j^3)^(1/3)', id: 'first' },
}

/** Bodies that fall towards each other, so that some touch within a few steps. */
const falling = (count: number) => ({
  position: Float32Array.from({ length: 2 * count }, (_, n) => 3 * Math.sin(12.9898 * (n + 1) ** 2)),
  velocity: Float32Array.from({ length: 2 * count }, (_, n) => Math.cos(3 * n)),
  mass: Float32Array.from({ length: count }, (_, n) => 1 + (n % 3)),
  radius: new Float32Array(count).fill(0.125),
  id: Float32Array.from({ length: count }, (_, n) => n),
  dimension: 2,
})

const rounding = ({ device }: AnyEngine) => (device.info.precision === 'f64' ? 1e-12 : 1e-5)

/** Without forces worth the name, so that velocities change by events alone. */
const weak = { law: gravity({ G: 1e-12, softening: 1 }), dt: 1 / 64 }

export const eventSimulations: readonly (readonly [string, (engine: AnyEngine) => Promise<void>])[] = [
  [
    'bodies that merge keep mass and momentum, and a resumed run merges them in the same way',
    async (engine) => {
      const particles = falling(60)
      const make = () =>
        engine.simulate({ law: gravity({ G: 0.01, softening: 0.25 }), particles, dt: 1 / 64, events: [merge] })
      await using simulation = await make()
      const seen: EventReport[] = []
      simulation.onEvent((event) => seen.push(event))
      const [mass, momentum] = [await simulation.total({ mass: 'mass' }), await simulation.momentum()]
      await simulation.step(6)
      await using resumed = await engine.resume(structuredClone(await simulation.snapshot()))
      for (const one of [simulation, resumed]) await one.step(14)
      expect(seen.length).toBeGreaterThan(3)
      const gone = seen.reduce((sum, { places }) => sum + new Set(places).size - (places?.length ?? 0), 0)
      const id = await simulation.read('id')
      expect(id.length).toBe(60 + gone)
      expect((await simulation.total({ mass: 'mass' })).mass).toBeCloseTo(mass.mass, 3)
      const now = await simulation.momentum()
      for (const [axis, p] of momentum.entries())
        expect(Math.abs((now[axis] as number) - p)).toBeLessThan(60 * rounding(engine))
      const volume = Float64Array.from(await simulation.read('radius')).reduce((sum, r) => sum + r ** 3, 0)
      expect(Math.abs(volume / (60 * 0.125 ** 3) - 1)).toBeLessThan(10 * rounding(engine))
      for (const name of ['position', 'velocity', 'mass', 'radius', 'id'])
        expect(await resumed.read(name)).toEqual(await simulation.read(name))
    },
  ],
  [
    'bodies merge under forces with a tree, a mesh and exclusions, which follow the bodies that stay',
    async (engine) => {
      const boundary = periodic([6, 6, 6])
      const count = 24
      // Near a grid, but the second of each of these pairs is near the first.
      const position = Float32Array.from({ length: 3 * count }, (_, n) => {
        const [point, axis] = [Math.floor(n / 3), n % 3]
        const near = [5, 11].includes(point)
        const at = Math.floor((point - (near ? 1 : 0)) / 3 ** axis) % 3
        return 2 * at + 1 + (near ? 0.0625 : 0)
      })
      const ones = new Float32Array(count).fill(1)
      const particles = {
        ...{ position, mass: ones, radius: ones.map(() => 0.125) },
        charge: ones.map((_, n) => (n % 2 === 0 ? 1 : -1)),
      }
      const exclusions = [[4, 5], [4, 6], [11, 20], [21, 22]] as const // biome-ignore format: pairs
      const excluded = { law: gravity({ G: 1e-4, softening: 1 }), cutoff: 2.5, exclusions }
      for (const forces of [
        [{ law: gravity({ G: 1e-4, softening: 0.5 }), method: tree({ tolerance: 1e-2 }) }, excluded],
        [
          { law: coulomb({ k: 1e-4 }), boundary, method: mesh({ tolerance: 1e-2 }) },
          { ...excluded, boundary },
        ],
      ]) {
        await using simulation = await engine.simulate({
          ...{ forces, particles, dt: 2 ** -10 },
          events: [{ pairs: touch, resolve: 'merge', rules: { radius: 'max', charge: 'sum' } }],
        })
        const pairs: EventReport['pairs'][] = []
        simulation.onEvent((event) => pairs.push(event.pairs))
        await simulation.step(1)
        expect(pairs).toEqual([[[4, 5], [10, 11]]]) // biome-ignore format: pairs
        const snapshot = structuredClone(await simulation.snapshot())
        // Points 5 and 11 have gone, and with them their exclusions.
        expect(snapshot.forces?.[1]).toMatchObject({ exclusions: [[4, 5], [19, 20]] }) // biome-ignore format: pairs
        expect((await simulation.read('mass')).filter((mass) => mass === 2)).toHaveLength(2)
        await using resumed = await engine.resume(snapshot)
        for (const one of [simulation, resumed]) await one.step(2)
        expect(await resumed.read('position')).toEqual(await simulation.read('position'))
      }
    },
  ],
  [
    'bodies in a chain become one, across the edges of a box too, in the place of the first',
    async (engine) => {
      const events: SimulationEvent[] = [
        { ...merge, rules: { radius: 'max', id: 'sum', charge: 'mean', spin: 'min' } } as SimulationEvent,
      ]
      await using simulation = await engine.simulate({
        forces: [{ law: gravity({ G: 1e-12, softening: 1 }), boundary: periodic([8, 8]) }],
        particles: {
          position: [4, 4, 7.875, 1, 0.125, 1, 0.375, 1, 6, 6],
          velocity: [0, 0, 1, 0, 0, 0, 0, 1, 0, 0],
          ...{ mass: [1, 2, 1, 1, 1], radius: [0.25, 0.1875, 0.125, 0.25, 0.25], id: [1, 2, 4, 8, 16] },
          ...{ charge: [0, 1, 2, 5, 0], spin: [0, 3, 1, 2, 0], dimension: 2 },
        },
        dt: 2 ** -20,
        events,
      })
      const seen: EventReport[] = []
      simulation.onEvent((event) => seen.push(event))
      await simulation.step()
      expect(seen).toMatchObject([{ event: 0, steps: 1, pairs: [[1, 2], [2, 3]], points: [1, 2, 3] }]) // biome-ignore format: pairs
      expect([...(seen[0]?.places ?? [])]).toEqual([0, 1, 1, 1, 2])
      const read = async (name: string) => [...(await simulation.read(name))]
      expect([await read('mass'), await read('radius'), await read('id')]).toEqual([
        [1, 4, 1],
        [0.25, 0.25, 0.25],
        [1, 14, 16],
      ])
      expect([(await read('charge'))[1], (await read('spin'))[1]]).toEqual([2.25, 1])
      const [x, y, u, v] = [...(await read('position')).slice(2, 4), ...(await read('velocity')).slice(2, 4)]
      const expected = [7.875 + 0.25 / 4 + 0.5 / 4, 1, 0.5, 0.25]
      for (const [n, value] of [x, y, u, v].entries()) expect(value).toBeCloseTo(expected[n] as number, 4)
    },
  ],
  [
    'a condition on forces sees those of now, though a change came before the steps',
    async (engine) => {
      const seen = await Promise.all(
        [false, true].map(async (reads) => {
          await using simulation = await engine.simulate({
            law: gravity({ G: 1, softening: 0.25 }),
            particles: { position: [0, 0, 1, 0], mass: [1, 1], dimension: 2 },
            ...{ integrator: semiImplicitEuler, dt: 1 / 64, events: [{ points: 'acceleration_x > 1.9' }] },
          })
          const steps: number[] = []
          simulation.onEvent((event) => steps.push(event.steps))
          await simulation.write('G', 2)
          for (let n = 0; n < 12; n++) {
            await simulation.step()
            if (reads) await simulation.read('acceleration')
          }
          return steps
        }),
      )
      expect(seen[0]).toEqual(seen[1])
      expect(seen[0]?.[0]).toBeGreaterThan(2)
    },
  ],
  [
    'bodies that bounce keep energy and momentum, and lose the share of the restitution',
    async (engine) => {
      for (const restitution of [1, 0.5]) {
        await using simulation = await engine.simulate({
          ...weak,
          particles: {
            position: [0, 0, 1, 0, 1.5, 0.25, 5, 5, 6, 5],
            velocity: [1, 0, -1, 0, 0, 0, 0, 0, -1, 0],
            ...{ mass: [1, 3, 2, 1, 1], radius: [0.25, 0.25, 0.25, 0.25, 0.25], dimension: 2 },
          },
          fixed: [3],
          events: [{ pairs: touch, resolve: 'bounce', restitution }],
        })
        const { kinetic } = await simulation.energy()
        let bounces = 0
        simulation.onEvent(({ pairs }) => {
          bounces += pairs.length
        })
        await simulation.step(64)
        expect(bounces).toBeGreaterThan(1)
        const energy = (await simulation.energy()).kinetic
        if (restitution === 1) expect(Math.abs(energy / kinetic - 1)).toBeLessThan(10 * rounding(engine))
        else expect(energy).toBeLessThan(0.9 * kinetic)
        const velocity = await simulation.read('velocity')
        expect(velocity[8]).toBeCloseTo(restitution, 5)
        const momentum = [1, 3, 2].map((m, n) => m * (velocity[2 * n] as number)).reduce((a, b) => a + b)
        expect(Math.abs(momentum + 2)).toBeLessThan(10 * rounding(engine))
      }
    },
  ],
  [
    'bodies that leave a region go, and a listener may add others',
    async (engine) => {
      const particles = { ...falling(30), radius: undefined, id: undefined }
      const { position, velocity, mass, dimension } = particles
      const events: SimulationEvent[] = [
        { points: 'position_x^2 + position_y^2 > edge^2', resolve: 'remove', every: 4, parameters: { edge: 3.5 } },
      ]
      const options = { ...weak, particles: { position, velocity, mass, dimension }, capacity: 40 }
      await using simulation = await engine.simulate({ ...options, events })
      await using other = await engine.simulate(options)
      let gone = 0
      simulation.onEvent(async ({ points, steps, places }) => {
        gone += points.length
        expect(steps % 4).toBe(0)
        expect(points.every((point) => places?.[point] === -1)).toBe(true)
        await simulation.add({ position: [0, 0], velocity: [4, 0], mass: [1] })
      })
      await simulation.step(20)
      for (let steps = 4; steps <= 20; steps += 4) {
        await other.step(4)
        const outside = await other.remove('position_x^2 + position_y^2 > 12.25')
        if (outside.includes(-1)) await other.add({ position: [0, 0], velocity: [4, 0], mass: [1] })
      }
      expect(gone).toBeGreaterThan(1)
      expect(await simulation.read('position')).toEqual(await other.read('position'))
    },
  ],
]
