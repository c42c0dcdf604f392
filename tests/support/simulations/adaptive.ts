// Simulations with adaptive steps. Every case runs on every backend.

import {
  createEngine,
  type Engine,
  externalForce,
  gravity,
  type Integrator,
  langevin,
  type Precision,
  reference,
  rungeKutta4,
  type SimulationOptions,
  yoshida4,
} from '@manybody/core'
import { expect } from 'vitest'

type AnyEngine = Engine<Precision>

const truths = createEngine({ backends: [reference()], precision: 'f64' })

const most = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Array.from(a).reduce((worst, x, n) => Math.max(worst, Math.abs(x - (b[n] as number))), 0)

/** Three bodies. Two of them pass close to each other. */
const options = (integrator: Integrator): SimulationOptions => ({
  // The time makes the motion depend on the clock.
  forces: [gravity({ softening: 0.05 }), externalForce(['mass*cos(time)', '0', '-mass*time'])()],
  particles: {
    position: Float32Array.of(0, 0, 0, 1, 0.125, 0, -0.5, 1, 0.25),
    velocity: Float32Array.of(0, 0, 0, -0.5, 0, 0, 0, -0.25, 0.5),
    mass: Float32Array.of(1, 0.5, 0.25),
  },
  integrator,
  dt: { accuracy: 0.01, length: 0.05, shortest: 1e-4, longest: 0.05 },
})

export const adaptiveSimulations: readonly (readonly [name: string, run: (engine: AnyEngine) => Promise<void>])[] = [
  [
    'adaptive steps give the times and places of the reference, and a snapshot continues bit for bit',
    async (engine) => {
      const steps = 24
      const noisy = langevin({ temperature: 0.25, friction: 0.5, seed: 2 })
      for (const integrator of [yoshida4, rungeKutta4, noisy]) {
        const truth = await (await truths).simulate(options(integrator))
        const whole = await engine.simulate(options(integrator))
        expect([whole.time, whole.dt]).toEqual([0, 0])
        const [longest, lengths]: [number, number[]] = [0.05, []]
        for (let n = 0; n < steps; n++) {
          await truth.step()
          lengths.push(truth.dt)
        }
        expect(Math.max(...lengths) / Math.min(...lengths), 'steps that adapt').toBeGreaterThan(1.5)
        expect(Math.max(...lengths)).toBeLessThanOrEqual(longest)
        expect(truth.time).toBeCloseTo(
          lengths.reduce((a, b) => a + b),
          12,
        )
        await whole.step(steps)
        const exact = engine.device.info.precision === 'f64'
        expect(Math.abs(whole.time / truth.time - 1)).toBeLessThan(exact ? 1e-12 : 3e-6)
        expect(Math.abs(whole.dt / truth.dt - 1)).toBeLessThan(exact ? 1e-11 : 3e-5)
        expect(most(await whole.read('position'), await truth.read('position'))).toBeLessThan(exact ? 1e-11 : 2e-5)

        const half = await engine.simulate(options(integrator))
        await half.step(9)
        const snapshot = structuredClone(await half.snapshot())
        const resumed = await engine.resume(snapshot)
        expect([resumed.time, resumed.dt]).toEqual([half.time, half.dt])
        await resumed.step(steps - 9)
        for (const name of ['position', 'velocity']) expect(await resumed.read(name)).toEqual(await whole.read(name))
        expect([resumed.time, resumed.dt]).toEqual([whole.time, whole.dt])
        const [frame] = [(await resumed.frames({ every: 2 }).next()).value]
        expect(frame).toMatchObject({ steps: steps + 2, time: resumed.time })
        for (const one of [truth, whole, half, resumed]) one.dispose()
      }
    },
  ],
  [
    'the time of many short steps loses no digits, and forces see it',
    async (engine) => {
      const [step, steps] = [Math.fround(0.001), 250]
      const drive = externalForce(['time', '0'], { inertia: 'mass' })
      const simulation = await engine.simulate({
        forces: [drive()],
        particles: { position: new Float64Array(2), velocity: new Float64Array(2), mass: [1], dimension: 2 },
        integrator: rungeKutta4,
        dt: { step: 'limit/abs(mass)', parameters: { limit: 1 }, shortest: step / 2, longest: step },
      })
      await simulation.step(steps)
      // A single float32 would have lost 1e-7 of the time.
      expect(Math.abs(simulation.time / (steps * step) - 1)).toBeLessThan(1e-9)
      const [v = 0] = await simulation.read('velocity')
      expect(Math.abs(v / (simulation.time ** 2 / 2) - 1)).toBeLessThan(2e-5)
      await simulation.write('mass', [4000])
      await simulation.step()
      expect(simulation.dt, 'the shortest').toBe(step / 2)
      simulation.dispose()
    },
  ],
]
