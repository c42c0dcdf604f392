// The time of a simulation: when steps change their length, when it begins late, and as forces read it after many steps. Every case runs on
// every backend.

import {
  type Engine,
  externalForce,
  externalPotential,
  type Integrator,
  langevin,
  leapfrog,
  type Precision,
  rungeKutta4,
  type SimulationOptions,
  semiImplicitEuler,
  velocityVerlet,
  yoshida4,
} from '@manybody/core'
import { expect } from 'vitest'

type AnyEngine = Engine<Precision>

const still = (integrator: Integrator = semiImplicitEuler) => ({
  particles: { position: [0, 0], mass: [1], dimension: 2 as const },
  integrator,
})
/** A rule that always gives steps of the same length. */
const adaptive = (step: number) => ({ step: `${step}*mass`, shortest: step / 2, longest: step })

/** The present force, which is the acceleration of a point of mass 1. */
async function forceAt(engine: AnyEngine, text: string, options: Partial<SimulationOptions>, steps: number) {
  const force = externalForce([text, '0'], { inertia: 'mass' })
  const given: SimulationOptions = { ...still(), dt: 1, ...options, forces: [force()] }
  const simulation = await engine.simulate(given)
  await simulation.step(steps)
  const [a = Number.NaN] = await simulation.read('acceleration')
  const { time } = simulation
  simulation.dispose()
  return { a, time }
}

export const timeSimulations: readonly (readonly [name: string, run: (engine: AnyEngine) => Promise<void>])[] = [
  [
    'a run goes on from its time when its steps become shorter, longer, negative, or adapt',
    async (engine) => {
      const exact = engine.device.info.precision === 'f64'
      // v' = 3 t^2, so v = t^3.
      const pull = externalForce(['3*time^2', '0'], { inertia: 'mass' })
      const drop = externalPotential('-position_x*time', { inertia: 'mass' })
      for (const integrator of [semiImplicitEuler, leapfrog, velocityVerlet, yoshida4, rungeKutta4]) {
        const lengths = [0.125, 0.0625, -0.125, adaptive(0.03125), 0.25, adaptive(0.0625), -0.0625]
        let [expected, walked] = [0, 0]
        let simulation = await engine.simulate({ ...still(integrator), forces: [pull()], dt: 0.125 })
        for (const dt of lengths) {
          const before = simulation
          simulation = await engine.resume({ ...(await before.snapshot()), dt, checksum: undefined })
          before.dispose()
          expect(simulation.time).toBe(expected)
          expect((await simulation.snapshot()).steps).toBe(walked)
          await simulation.step(8)
          walked += 8
          expected += 8 * (typeof dt === 'number' ? dt : dt.longest)
          expect([simulation.time, simulation.dt]).toEqual([expected, typeof dt === 'number' ? dt : dt.longest])
          if (integrator !== leapfrog) continue
          // Without changes, a resumed simulation has the same clock.
          const snapshot = await simulation.snapshot()
          const same = await engine.resume(structuredClone(snapshot))
          expect((await same.snapshot()).clock).toEqual(snapshot.clock)
          same.dispose()
        }
        const [a = 0] = await simulation.read('acceleration')
        expect(Math.abs(a - 3 * expected ** 2)).toBeLessThan(exact ? 1e-14 : 1e-6)
        const [v = 0] = await simulation.read('velocity')
        const allowed = integrator.order === 1 ? 5 : integrator.order === 2 ? 0.1 : exact ? 1e-12 : 1e-5
        expect(Math.abs(v - expected ** 3), integrator.name).toBeLessThan(allowed)
        const [frame] = [(await simulation.frames({ every: 4 }).next()).value]
        expect(frame).toMatchObject({ time: expected - 0.25, steps: walked + 4 })
        simulation.dispose()
      }
      // The energy belongs to the time of the state.
      const falling = { ...still(), particles: { position: [2, 0], mass: [1], dimension: 2 as const }, dt: 1 / 64 }
      const simulation = await engine.simulate({ ...falling, forces: [drop()], time: 3 })
      expect(await simulation.energy()).toMatchObject({ kinetic: 0, potential: -6 })
      await simulation.step(1)
      const turned = await engine.resume({ ...(await simulation.snapshot()), dt: -1, checksum: undefined })
      const [x = 0] = await turned.read('position')
      expect((await turned.energy()).potential).toBeCloseTo(-x * (3 + 1 / 64), 5)
      for (const one of [simulation, turned]) one.dispose()
    },
  ],
  [
    'noise goes on when the steps of a thermostat change their length',
    async (engine) => {
      const nothing = externalForce(['0*time', '0'], { inertia: 'mass' })
      const integrator = langevin({ temperature: 1, friction: 1, seed: 4, dimension: 2 })
      const simulation = await engine.simulate({ ...still(integrator), forces: [nothing()], dt: 0.5, time: -1 })
      await simulation.step(4)
      const resumed = await engine.resume({ ...(await simulation.snapshot()), dt: 0.25, checksum: undefined })
      expect([simulation.time, resumed.time]).toEqual([1, 1])
      await resumed.step(4)
      expect(resumed.time).toBe(2)
      for (const one of [simulation, resumed]) one.dispose()
    },
  ],
  [
    'forces turn with the right phase after many steps, of one length or adapted, late or negative',
    async (engine) => {
      const allowed = engine.device.info.precision === 'f64' ? 1e-9 : 3e-6
      const dt = 2 ** -10
      // In float32, the angle alone has lost 4 of its digits.
      const particles = { mass: [1], position: [0.75, 0], dimension: 2 as const }
      for (const [shape, omega, time, steps, length] of [
        ['sin', 63.7, 0, 120, dt],
        ['cos', -63.7, 4000.3, 80, dt],
        ['sin', 2.5, -4000.3, 80, dt],
        ['cos', 1900, 4000.25, 80, -dt],
        ['cos', 4e-3, 4000.25, 80, dt],
        ['sin', 63.7, 2000, 120, adaptive(dt)],
        ['cos', -900, -2000.3, 120, adaptive(dt)],
      ] as const) {
        // The second variant multiplies the time out.
        const text = `${shape}(${omega}*time - 2*position_x + 0.5) + ${shape}(${omega}*(time - 1.5) - position_y)`
        const onlyForce: Integrator = { ...leapfrog, stages: [{ kind: 'force' }] }
        const { a, time: now } = await forceAt(
          engine,
          text,
          { particles, integrator: onlyForce, dt: length, time },
          steps,
        )
        const expected = time + steps * (typeof length === 'number' ? length : length.longest)
        expect(Math.abs(now - expected)).toBeLessThan(1e-9)
        const sum = Math[shape](omega * expected - 1) + Math[shape](omega * (expected - 1.5))
        expect(Math.abs(a - sum), `${text} from ${time}`).toBeLessThan(allowed)
      }
    },
  ],
  [
    'a pulse keeps its shape long after the start',
    async (engine) => {
      const allowed = engine.device.info.precision === 'f64' ? 1e-9 : 3e-6
      const dt = 2 ** -10
      for (const at of [12.7, 4000.1, 65536.3])
        for (const length of [dt, adaptive(dt)]) {
          const time = at - 50.4 * dt
          const pulse = `exp(-(((time - ${at})/0.01)^2))`
          const { a } = await forceAt(engine, pulse, { dt: length, time }, 60)
          const expected = Math.exp(-(((9.6 * dt) / 0.01) ** 2))
          expect(Math.abs(a - expected), `${at}`).toBeLessThan(allowed + 1e-9)
        }
    },
  ],
]
