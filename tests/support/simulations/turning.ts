// Forces that turn velocities, on every backend: Boris keeps the speed, and agrees with Runge-Kutta.

import {
  boris,
  boris4,
  createEngine,
  type Engine,
  externalForce,
  gravity,
  type Precision,
  reference,
  rungeKutta4,
} from '@manybody/core'
import { expect } from 'vitest'

type AnyEngine = Engine<Precision>

const lorentz = externalForce(['charge*B*velocity_y', '-charge*B*velocity_x', '0'], {
  ...{ name: 'magnetic field', inertia: 'mass', parameters: { B: 1 } },
})
const field = externalForce(
  ['charge*rate*velocity_y', '-charge*rate*velocity_x + tilt*velocity_z', '-tilt*velocity_y - position_z'].map(
    (text) => `${text}; rate = 1 + cos(2*time)/2; tilt = position_x/4`,
  ),
  { inertia: 'mass' },
)
const particles = {
  position: [0, 0, 0, 1, 0.5, 0],
  velocity: [1, 0, 0, 0, 1, 0.5],
  mass: [1, 2],
  charge: [1, -1],
}
const fields = { forces: [field(), gravity({ softening: 1 })], particles, fixed: [] }
const end = 0.4

/** The positions at the end, by Runge-Kutta in float64. All engines of a process share them. */
const exactPlaces = (() => {
  const walk = async () => {
    const engine = await createEngine({ backends: [reference()], precision: 'f64' })
    const simulation = await engine.simulate({ ...fields, integrator: rungeKutta4, dt: 0.01 })
    await simulation.stepUntil(end)
    const places = await simulation.read('position')
    engine.dispose()
    return places
  }
  let places: ReturnType<typeof walk> | undefined
  return () => {
    places ??= walk()
    return places
  }
})()

export const turningSimulations: readonly (readonly [name: string, run: (engine: AnyEngine) => Promise<void>])[] = [
  [
    'a charge keeps its speed in a magnetic field',
    async (engine) => {
      const double = engine.device.info.precision === 'f64'
      await using simulation = await engine.simulate({ forces: [lorentz()], particles, dt: 0.05 })
      expect(simulation.integrator).toEqual(boris4)
      const steps = engine.device.info.kind === 'cpu' && engine.device.info.backend === 'cpu-wasm' ? 10_000 : 100
      await simulation.step(steps)
      const [vx = 0, vy = 0] = await simulation.read('velocity')
      expect(Math.abs(Math.hypot(vx, vy) - 1)).toBeLessThan(double ? 1e-12 : 2e-5)
      await simulation.set({ parameters: { B: 3 } })
      await simulation.step(10)
      const [wx = 0, wy = 0] = await simulation.read('velocity')
      // The angle of a turn is exact in a uniform field.
      expect(Math.abs(Math.atan2(wx * vy - wy * vx, wx * vx + wy * vy) - 1.5)).toBeLessThan(double ? 1e-12 : 1e-4)
    },
  ],
  [
    'Boris turns velocities in fields of place and time, under steps of one length and adaptive ones, as Runge-Kutta does',
    async (engine) => {
      const rule = { step: '0.01 + 0.002*velocity_x', shortest: 0.005, longest: 0.0125 }
      const exact = await exactPlaces()
      for (const dt of [0.01, rule])
        for (const [integrator, allowed] of [
          [boris, 1e-4],
          [boris4, engine.device.info.precision === 'f64' ? 1e-7 : 1e-5],
        ] as const) {
          await using simulation = await engine.simulate({ ...fields, integrator, dt })
          await simulation.stepUntil(end)
          const places = Array.from(await simulation.read('position'))
          const worst = Math.max(...places.map((x, n) => Math.abs(x - (exact[n] as number))))
          expect(worst, integrator.name).toBeLessThan(allowed)
        }
    },
  ],
]
