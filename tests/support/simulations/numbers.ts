// Numbers that change while a simulation runs: parameters, tables, temperatures, lengths of steps. A simulation that was changed must
// go on as one that is resumed with the new numbers. Every case runs on every backend.

import {
  anglePotential,
  type Engine,
  externalForce,
  externalPotential,
  type Force,
  gravity,
  langevin,
  leapfrog,
  type Precision,
  pairPotential,
  rungeKutta4,
  type Simulation,
  type SimulationOptions,
  type SimulationState,
  semiImplicitEuler,
} from '@manybody/core'
import { expect } from 'vitest'

type AnyEngine = Engine<Precision>
type AnySimulation = Simulation<Precision>

const repel = pairPotential('k*epsilon[kind_i, kind_j]/sqrt(r2 + 0.25)', {
  inertia: 'mass',
  parameters: { k: 1 },
  tables: { epsilon: [[1, 0.5], [0.5, 2]] }, // biome-ignore format: a table
})
const spring = pairPotential('stiffness*(r - rest)^2/2', { parameters: { stiffness: 2, rest: 1 } })
const bend = anglePotential('bending*(theta - wanted)^2/2', { parameters: { bending: 1, wanted: 2 } })
const hand = externalPotential('pull*((position_x - mx)^2 + (position_y - my)^2)/2', {
  parameters: { pull: 0.5, mx: 0, my: 0.25 },
})
const field = externalForce(['amplitude*cos(omega*time + phase)', '0'], {
  parameters: { amplitude: 0.5, omega: 3, phase: 0.25 },
})
const drag = externalForce('-gamma*velocity', { parameters: { gamma: 0.125 } })

interface Values {
  readonly k?: number
  readonly epsilon?: number[][]
  readonly stiffness?: number
  readonly rest?: number
  readonly bending?: number
  readonly wanted?: number
  readonly pull?: number
  readonly mx?: number
  readonly my?: number
  readonly amplitude?: number
  readonly omega?: number
  readonly phase?: number
}

const first = { k: 1, epsilon: [[1, 0.5], [0.5, 2]], stiffness: 2, rest: 1, bending: 1, wanted: 2, pull: 0.5, mx: 0, my: 0.25, amplitude: 0.5, omega: 3, phase: 0.25 } // biome-ignore format: a list

function forcesWith(values: Values): readonly Force[] {
  const { k, epsilon, stiffness, rest, bending, wanted, pull, mx, my, amplitude, omega, phase } = {
    ...first,
    ...values,
  }
  return [
    { ...repel({ k }), tables: { epsilon } },
    { law: spring({ stiffness, rest }), bonds: [[0, 1], [1, 2], [2, 3]] }, // biome-ignore format: a list
    { law: bend({ bending, wanted }), angles: [[0, 1, 2]] },
    hand({ pull, mx, my }),
    field({ amplitude, omega, phase }),
    drag(),
  ]
}

const particles = {
  position: [0, 0, 1, 0.25, 1.5, 1, 2.5, 1.25],
  velocity: [0.25, 0, 0, -0.5, 0, 0.125, -0.25, 0],
  mass: [1, 2, 1, 0.5],
  kind: [0, 1, 0, 1],
  dimension: 2,
}

const options = { particles, forces: forcesWith({}), dt: 1 / 64, integrator: rungeKutta4 } satisfies SimulationOptions

const arraysOf = async (simulation: AnySimulation) => ({
  position: Array.from(await simulation.read('position')),
  velocity: Array.from(await simulation.read('velocity')),
  acceleration: Array.from(await simulation.read('acceleration')),
})

/** The largest difference of positions, velocities and accelerations. */
async function between(one: AnySimulation, other: AnySimulation): Promise<number> {
  const [a, b] = [await arraysOf(one), await arraysOf(other)]
  const pairs = Object.entries(a).flatMap(([name, list]) => list.map((x, n) => [x, b[name as keyof typeof b][n]]))
  return Math.max(...pairs.map(([x = 0, y = Number.NaN]) => Math.abs(x - y)))
}

/** A simulation that is resumed with other parts of its state. */
const resumedWith = async (engine: AnyEngine, simulation: AnySimulation, parts: Partial<SimulationState>) =>
  engine.resume({ ...(await simulation.snapshot()), ...parts, checksum: undefined })

const allowed = (engine: AnyEngine) => (engine.device.info.precision === 'f64' ? 1e-12 : 2e-5)

/** It goes on as its snapshot does, bit for bit. */
async function expectResumable(engine: AnyEngine, simulation: AnySimulation) {
  await using again = await engine.resume(structuredClone(await simulation.snapshot()))
  for (const one of [simulation, again]) await one.step(3)
  expect(await between(simulation, again)).toBe(0)
  expect(again.time).toBe(simulation.time)
}

export const numberSimulations: readonly (readonly [name: string, run: (engine: AnyEngine) => Promise<void>])[] = [
  [
    'parameters and tables of forces of all kinds change between steps, also from and to 0',
    async (engine) => {
      await using simulation = await engine.simulate(options)
      const changes: readonly Values[] = [
        { k: 3 },
        { stiffness: 5 },
        { rest: 0 },
        { rest: 1.5, wanted: Math.PI },
        { bending: 3, wanted: 1 },
        { mx: 1, my: 0.5, pull: 2 },
        { mx: 0 },
        { amplitude: 2 },
        { omega: 1, phase: 0 },
        { epsilon: [[0.25, 2], [2, 1]] }, // biome-ignore format: a table
      ]
      let values: Values = {}
      await simulation.step(3)
      for (const change of changes) {
        values = { ...values, ...change }
        await using other = await resumedWith(engine, simulation, { forces: forcesWith(values) })
        const { epsilon, ...parameters } = change
        for (const [name, value] of Object.entries(parameters)) await simulation.write(name, value as number)
        if (epsilon) await simulation.write('epsilon', epsilon)
        expect(await between(simulation, other), JSON.stringify(change)).toBeLessThan(allowed(engine))
        for (const one of [simulation, other]) await one.step(3)
        expect(await between(simulation, other), JSON.stringify(change)).toBeLessThan(allowed(engine))
        const { forces } = await simulation.snapshot()
        expect(forces).toEqual((await other.snapshot()).forces)
      }
      await expectResumable(engine, simulation)
    },
  ],
  [
    'energies and virials have the numbers of now',
    async (engine) => {
      const trap = { ...options, forces: forcesWith({}).slice(0, 4) }
      await using simulation = await engine.simulate(trap)
      const before = await simulation.energy()
      await simulation.set({ parameters: { k: 2, stiffness: 1, bending: 3, pull: 4, mx: 2 } })
      const given = forcesWith({ k: 2, stiffness: 1, bending: 3, pull: 4, mx: 2 }).slice(0, 4)
      await using other = await engine.simulate({ ...trap, forces: given })
      const [now, expected] = [await simulation.energy(), await other.energy()]
      expect(now.potential).not.toBeCloseTo(before.potential, 2)
      expect(now.potential).toBeCloseTo(expected.potential, engine.device.info.precision === 'f64' ? 12 : 4)
      const pressures = [simulation, other].map((one) => one.pressure({ volume: 1 }))
      const [some = 0, others = 1] = await Promise.all(pressures)
      expect(some).toBeCloseTo(others, engine.device.info.precision === 'f64' ? 12 : 4)
    },
  ],
  [
    'parameters of some steps alone are those of these steps',
    async (engine) => {
      await using usual = await engine.simulate(options)
      await using changed = await engine.simulate(options)
      await using set = await engine.simulate(options)
      const parameters = { k: 4, mx: 1 }
      for (const one of [usual, changed, set]) await one.step(2)
      await changed.step(2, { parameters })
      await changed.step(2, { parameters })
      await set.set({ parameters })
      await set.step(4)
      expect((await usual.snapshot()).forces).toEqual((await changed.snapshot()).forces)
      await set.set({ parameters: { k: 1, mx: 0 } })
      for (const one of [changed, set]) await one.step(2)
      expect(await between(changed, set)).toBe(0)
      await usual.step(6)
      expect(await between(changed, usual)).toBeGreaterThan(1e-3)
    },
  ],
  [
    'a thermostat takes another temperature, and goes on as one that was made with it',
    async (engine) => {
      const thermostat = { friction: 2, seed: 1, dimension: 2 } as const
      const cold = langevin({ ...thermostat, temperature: 0.5 })
      await using simulation = await engine.simulate({ ...options, integrator: cold })
      await simulation.step(5)
      const hot = langevin({ ...thermostat, temperature: 4, friction: 3 })
      await using other = await resumedWith(engine, simulation, { integrator: hot })
      await simulation.set({ temperature: 4, parameters: { friction: 3 } })
      expect(simulation.integrator).toEqual(other.integrator)
      for (const one of [simulation, other]) await one.step(20)
      expect(await between(simulation, other)).toBeLessThan(allowed(engine))
      await expectResumable(engine, simulation)
    },
  ],
  [
    'another length of steps keeps the time, and forces that read it go on',
    async (engine) => {
      await using simulation = await engine.simulate({ ...options, t0: 2 })
      let [time, steps] = [2, 0]
      for (const dt of [1 / 32, 1 / 128, -1 / 64, 1 / 16]) {
        await using other = await resumedWith(engine, simulation, { dt })
        await simulation.set({ dt })
        expect([simulation.time, simulation.dt, simulation.steps]).toEqual([time, dt, steps])
        for (const one of [simulation, other]) await one.step(4)
        ;[time, steps] = [time + 4 * dt, steps + 4]
        expect([simulation.time, simulation.steps]).toEqual([time, steps])
        expect(await between(simulation, other)).toBeLessThan(allowed(engine))
      }
      await expectResumable(engine, simulation)
    },
  ],
  [
    'steps end at the time that is asked for, of one length and adaptive',
    async (engine) => {
      const exact = engine.device.info.precision === 'f64'
      // x'' = cos t from x = -1 at rest: x = -cos t.
      const force = externalForce(['cos(time)', '0'], { inertia: 'mass' })
      const swing = {
        ...{ forces: [force()], integrator: rungeKutta4 },
        particles: { position: [-1, 0], mass: [1], dimension: 2 },
      } as const
      const rule = { step: '0.09 + 0.01*position_x', shortest: 1e-3, longest: 0.3 }
      for (const dt of [0.1, rule]) {
        await using simulation = await engine.simulate({ ...swing, dt })
        for (const time of [0.1, 0.25, 0.3, 1, 1, 2.75]) {
          await simulation.stepUntil(time)
          expect(simulation.time).toBe(time)
          const [x = 0] = await simulation.read('position')
          expect(Math.abs(x + Math.cos(time)), String(time)).toBeLessThan(exact ? 1e-6 : 3e-6)
        }
        expect(simulation.steps).toBeLessThan(50)
        await using resumed = await engine.resume(await simulation.snapshot())
        for (const one of [simulation, resumed]) await one.stepUntil(4)
        expect(await between(simulation, resumed)).toBe(0)
        const times: number[] = []
        for await (const { time } of simulation.frames({ interval: 0.25 })) if (times.push(time) === 4) break
        expect(times).toEqual([4.25, 4.5, 4.75, 5])
        const [x = 0] = await simulation.read('position')
        expect(Math.abs(x + Math.cos(5))).toBeLessThan(exact ? 1e-6 : 5e-6)
      }
      await using back = await engine.simulate({ ...swing, dt: -0.125, t0: 1 })
      await back.stepUntil(0.3)
      expect([back.time, back.steps, back.dt]).toEqual([0.3, 6, -0.125])
    },
  ],
  [
    'numbers change in a snapshot of one law, which needs no list of forces',
    async (engine) => {
      const three = { position: [0, 0, 0, 1, 0, 0, 0, 2, 0], mass: [1, 1, 1] }
      const one = { law: gravity({ softening: 0.5 }), particles: three, integrator: leapfrog, dt: 1 / 16 }
      await using simulation = await engine.simulate(one)
      await simulation.step(2)
      await using other = await resumedWith(engine, simulation, { law: gravity({ G: 2, softening: 0 }) })
      await simulation.set({ parameters: { G: 2, softening: 0 } })
      for (const each of [simulation, other]) await each.step(2)
      expect(await between(simulation, other)).toBeLessThan(allowed(engine))
      await using euler = await engine.simulate({ ...one, integrator: semiImplicitEuler })
      await euler.write('G', 0)
      await euler.step(3)
      expect(Array.from(await euler.read('position'))).toEqual(three.position)
    },
  ],
]
