// Simulations with adaptive steps. Every case runs on every backend.

import {
  createEngine,
  type Engine,
  externalForce,
  type Floats,
  gravity,
  type Integrator,
  langevin,
  type Precision,
  periodic,
  reference,
  rungeKutta4,
  type Simulation,
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
      const [step, steps] = [Math.fround(0.001), 100]
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
  [
    'a rule for pairs resolves two light bodies that circle each other, which the pull of their star hides',
    async (engine) => {
      // Their own orbit takes 0.043. By its length, that around the star allows longer steps.
      const [light, apart] = [1e-5, 2 ** -10]
      const speed = Math.sqrt((2 * light) / apart) / 2
      const bodies = {
        position: [0, 0, 0, 1 - apart / 2, 0, 0, 1 + apart / 2, 0, 0],
        velocity: [0, 0, 0, 0, 1 - speed, 0, 0, 1 + speed, 0],
        mass: [1, light, light],
      }
      const usual = { law: gravity(), particles: bodies, integrator: yoshida4 } satisfies Partial<SimulationOptions>
      /** The energy of the two about each other, for each unit of their reduced mass. */
      const bound = async (simulation: Simulation<Precision>) => {
        const [x, v] = [await simulation.read('position'), await simulation.read('velocity')]
        const between = (a: Floats<Precision>) => [3, 4, 5].map((n) => (a[n + 3] as number) - (a[n] as number))
        return Math.hypot(...between(v)) ** 2 / 2 - (2 * light) / Math.hypot(...between(x))
      }
      const limits = { shortest: 1e-5, longest: 0.05 }
      const rules = {
        star: { accuracy: 0.025, length: 1, ...limits },
        pairs: { pairs: 'eta*sqrt(r^3/(mass_i + mass_j))', parameters: { eta: 0.125 }, ...limits },
        both: { accuracy: 0.025, length: 1, pairs: 'sqrt(r^3/(mass_i + mass_j))/8', ...limits },
        speeds: {
          pairs: 'r/8/sqrt((velocity_x_i - velocity_x_j)^2 + (velocity_y_i - velocity_y_j)^2)',
          ...limits,
        },
      }
      const changes: Record<string, number> = {}
      for (const [name, dt] of Object.entries(rules)) {
        await using simulation = await engine.simulate({ ...usual, dt })
        const before = await bound(simulation)
        await simulation.stepUntil(0.1)
        changes[name] = Math.abs((await bound(simulation)) / before - 1)
        if (name === 'star') expect(simulation.steps).toBeLessThan(10)
      }
      expect(changes.star).toBeGreaterThan(1)
      for (const name of ['pairs', 'both', 'speeds']) expect(changes[name], name).toBeLessThan(0.05)

      await using simulation = await engine.simulate({ ...usual, dt: rules.speeds, sources: 1 })
      await simulation.step(3)
      // The star alone acts, so that the two do not limit each other.
      expect(simulation.dt).toBeCloseTo(0.05, 6)
      await using whole = await engine.simulate({ ...usual, dt: rules.speeds })
      await whole.step(5)
      await using resumed = await engine.resume(structuredClone(await whole.snapshot()))
      for (const one of [whole, resumed]) await one.step(5)
      expect(await resumed.read('position')).toEqual(await whole.read('position'))
      expect([resumed.time, resumed.dt]).toEqual([whole.time, whole.dt])
    },
  ],
  [
    'a rule for pairs takes the longest step for a point by itself, and the nearest image in a box',
    async (engine) => {
      const dt = { pairs: 'r/10', shortest: 1e-3, longest: 0.25 }
      const law = gravity({ G: 1e-6, softening: 1 })
      const alone = { position: [0, 0], velocity: [1, 0], mass: [1], dimension: 2 }
      await using one = await engine.simulate({ law, particles: alone, dt })
      await one.step(2)
      expect(one.time).toBe(0.5)
      const apart = { position: [0.25, 1, 3.75, 1], velocity: [0, 0, 0, 0], mass: [1, 1], dimension: 2 }
      await using box = await engine.simulate({ forces: [{ law, boundary: periodic([4, 4]) }], particles: apart, dt })
      await box.step()
      expect(box.time).toBeCloseTo(0.05, 6)
    },
  ],
  [
    'a rule for pairs holds where the squares of distances exceed float32, and with forces that have no pairs',
    async (engine) => {
      const particles = { position: Float32Array.of(0, 0, 3e19, 0), mass: Float32Array.of(1, 1), dimension: 2 } as const
      const dt = { pairs: 'r/10', shortest: 1e17, longest: 1e19 }
      for (const force of [gravity({ G: 1e18 }), externalForce(['0', '0'], { inertia: 'mass' })()]) {
        await using simulation = await engine.simulate({ forces: [force], particles, dt })
        await simulation.step()
        expect(simulation.dt / 3e18).toBeCloseTo(1, 5)
      }
    },
  ],
  [
    'fixed points limit no step, whatever a rule says of them',
    async (engine) => {
      const particles = { position: [0, 0, 3, 0], mass: [1, 1], size: [0.25, 2], dimension: 2 }
      const dt = { step: 'size/8', shortest: 1e-3, longest: 1 }
      await using simulation = await engine.simulate({ law: gravity({ G: 1e-6 }), particles, dt, fixed: [0] })
      const lengths: number[] = []
      for (const fixed of [[0], [], [1], [0, 1]]) {
        await simulation.write('fixed', fixed)
        await simulation.step()
        lengths.push(simulation.dt)
      }
      expect(lengths).toEqual([0.25, 0.03125, 0.03125, 1])
    },
  ],
  [
    'pairs of two fixed points limit no step, and others do',
    async (engine) => {
      const particles = { position: [0, 0, 0.25, 0, 2, 0], mass: [1, 1, 1], dimension: 2 } as const
      const dt = { pairs: 'r/10', shortest: 1e-3, longest: 1 }
      const forces = [gravity({ G: 1e-6 })]
      await using simulation = await engine.simulate({ forces, particles, dt, fixed: [0, 1] })
      const lengths: number[] = []
      for (const fixed of [[0, 1], [0], [1, 2], [0, 1]]) {
        await simulation.write('fixed', fixed)
        await simulation.step()
        lengths.push(simulation.dt)
      }
      for (const [n, length] of [0.175, 0.025, 0.025, 0.175].entries()) expect(lengths[n]).toBeCloseTo(length, 4)
    },
  ],
]
