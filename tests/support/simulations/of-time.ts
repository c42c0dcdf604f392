// Parameters that are expressions of the time: in every kind of force, in thermostats, with every clock. Every case runs on every backend.

import {
  type AdaptiveStep,
  boris,
  boris4,
  type Engine,
  externalForce,
  type Integrator,
  langevin,
  leapfrog,
  type Precision,
  pairForce,
  pairTerm,
  rungeKutta4,
  type Simulation,
  yoshida4,
} from '@manybody/core'
import { expect } from 'vitest'

type AnyEngine = Engine<Precision>

const pull = externalForce(['F', '0'], { inertia: 'mass', parameters: { F: 1 } })
const push = pairForce('k/r', { inertia: 'mass', parameters: { k: 1 } })
const link = pairForce('b/r', { inertia: 'mass', parameters: { b: 1 } })
const pair = { position: [0, 0, 1, 0], mass: [1, 1], dimension: 2 as const }

/** Turns and pushes a point, by parameters and by the time in their place. */
const fieldsOf = (rate: string, strength: string) =>
  externalForce([`${rate}*velocity_y + ${strength}`, `-${rate}*velocity_x`], {
    inertia: 'mass',
    parameters: { rate: 1, strength: 1 },
  })()

async function closeTo(found: Simulation<Precision>, other: Simulation<Precision>, allowed: number): Promise<void> {
  for (const name of ['position', 'velocity']) {
    const [some, others] = [await found.read(name), await other.read(name)]
    for (const [n, x] of some.entries()) expect(Math.abs(x - (others[n] as number)), name).toBeLessThan(allowed)
  }
}

export const timedParameters: readonly (readonly [name: string, run: (engine: AnyEngine) => Promise<void>])[] = [
  [
    'forces on points, of pairs and of bonds follow expressions of the time, and a snapshot keeps them',
    async (engine) => {
      const allowed = engine.device.info.precision === 'f64' ? 1e-13 : 1e-5
      const simulation = await engine.simulate({
        forces: [pull(), push(), { law: link(), bonds: [[0, 1]] }],
        ...{ particles: pair, integrator: rungeKutta4, dt: 1 / 16, capacity: 4 },
      })
      await simulation.set({ parameters: { F: '6*time', k: '-12*time^2' } })
      await simulation.write('b', '-6*time')
      await simulation.step(10)
      const resumed = await engine.resume(structuredClone(await simulation.snapshot()))
      for (const one of [simulation, resumed]) await one.step(6)
      // Their accelerations are 6 t, -+12 t^2 and -+6 t, so the points have moved by t^3, -+t^4 and -+t^3.
      const [x = Number.NaN, , toX = Number.NaN] = await simulation.read('position')
      expect([Math.abs(x + 1), Math.abs(toX - 4)].filter((error) => !(error < allowed))).toEqual([])
      expect(await resumed.read('position')).toEqual(await simulation.read('position'))
      const [k] = await simulation.read('k')
      expect(k).toBe(-12)
      // Numbers take the places of expressions; a point that comes feels them.
      await simulation.set({ parameters: { F: 0, k: 0, b: '6*(time - 1)' } })
      await simulation.add({ position: [9, 9], mass: [1], dimension: 2 })
      await simulation.step(16)
      const [v = Number.NaN, , toV = Number.NaN, , ...rest] = await simulation.read('velocity')
      // The velocities at t = 1 were 3 - 4 - 3 and 3 + 4 + 3, and bonds pull with 6 (t - 1).
      expect([Math.abs(v + 4 - 3), Math.abs(toV - 10 + 3)].filter((error) => !(error < 10 * allowed))).toEqual([])
      expect(rest).toEqual([0, 0])
      for (const one of [simulation, resumed]) one.dispose()
    },
  ],
  [
    'a parameter of the time is as the time in a force, whatever the integrator and its clock',
    async (engine) => {
      const allowed = engine.device.info.precision === 'f64' ? 1e-13 : 4e-6
      const [rate, strength] = ['1 + time', 'cos(3*time)']
      const adapting: AdaptiveStep = { step: '0.05*mass', shortest: 0.01, longest: 0.1 }
      const cases: readonly (readonly [Integrator, number | AdaptiveStep])[] = [
        [boris, 0.05],
        [boris4, 0.05],
        [rungeKutta4, 0.05],
        [rungeKutta4, adapting],
      ]
      for (const [integrator, dt] of cases) {
        const particles = { position: [0, 0], velocity: [1, 0], mass: [1], dimension: 2 as const }
        const given = { particles, integrator, dt, t0: 0.5 }
        const simulation = await engine.simulate({ ...given, forces: [fieldsOf('rate', 'strength')] })
        const direct = await engine.simulate({ ...given, forces: [fieldsOf(`(${rate})`, strength)] })
        await simulation.set({ parameters: { rate, strength } })
        for (const one of [simulation, direct]) await one.step(12)
        expect(simulation.time).toBe(direct.time)
        await closeTo(simulation, direct, allowed)
        for (const one of [simulation, direct]) one.dispose()
      }
      for (const integrator of [leapfrog, yoshida4]) {
        const given = { particles: pair, integrator, dt: 0.05 }
        const simulation = await engine.simulate({ ...given, forces: [push()] })
        const direct = await engine.simulate({
          ...{ ...given, computed: { strength: `-${strength}` } },
          forces: [pairForce('strength_i/r', { inertia: 'mass' })()],
        })
        await simulation.write('k', `-${strength}`)
        for (const one of [simulation, direct]) await one.step(12)
        await closeTo(simulation, direct, allowed)
        for (const one of [simulation, direct]) one.dispose()
      }
    },
  ],
  [
    'a thermostat follows an expression of the time as it follows numbers that are set before each step',
    async (engine) => {
      const allowed = engine.device.info.precision === 'f64' ? 1e-13 : 1e-5
      const count = 30
      const given = {
        forces: [externalForce('-position', { inertia: 'mass' })()],
        particles: { position: new Float32Array(3 * count), mass: new Float32Array(count).fill(1) },
        ...{ integrator: langevin({ temperature: 1, friction: 1, seed: 3 }), dt: 0.05 },
      }
      const [simulation, direct] = [await engine.simulate(given), await engine.simulate(given)]
      await simulation.set({ temperature: '0.5 + time' })
      await simulation.step(12)
      for (let n = 0; n < 12; n++) {
        await direct.set({ temperature: 0.5 + direct.time })
        await direct.step(1)
      }
      await closeTo(simulation, direct, allowed)
      for (const one of [simulation, direct]) {
        await one.set({ temperature: 2 })
        await one.step(4)
      }
      await closeTo(simulation, direct, allowed)
      for (const one of [simulation, direct]) one.dispose()
    },
  ],
  [
    'a sum that forces read follows an expression of the time',
    async (engine) => {
      const near = pairTerm('h*mass_j', { parameters: { h: 1 } })
      const simulation = await engine.simulate({
        computed: { density: { law: near(), self: 'exclude' } },
        forces: [externalForce(['density', '0'], { inertia: 'mass' })()],
        ...{ particles: pair, dt: 0.25, integrator: rungeKutta4 },
      })
      await simulation.write('computed.density.h', '2*time')
      await simulation.step(4)
      expect(Array.from(await simulation.read('density'))).toEqual([2, 2])
      expect(Array.from(await simulation.read('velocity'))).toEqual([1, 0, 1, 0])
      simulation.dispose()
    },
  ],
]
