// Minima of the potential energy, on every backend.

import {
  type Engine,
  externalForce,
  externalPotential,
  firstOrderRungeKutta4,
  langevin,
  type Precision,
  pairPotential,
  periodic,
} from '@manybody/core'
import { expect } from 'vitest'

type AnyEngine = Engine<Precision>

const lennardJones = pairPotential('4*(r2^(-6) - r2^(-3))', { inertia: 'mass' })
const golden = (1 + Math.sqrt(5)) / 2

/** An icosahedron with a point in its middle, too large and a little askew. */
function icosahedron(): number[] {
  const corners = [-1, 1].flatMap((a) =>
    [-golden, golden].flatMap((b) => [
      [0, a, b],
      [a, b, 0],
      [b, 0, a],
    ]),
  )
  return [[0, 0, 0], ...corners].flatMap((point, n) => point.map((x, axis) => 0.65 * x + 0.05 * Math.sin(3 * n + axis)))
}

export const minimizingSimulations: readonly (readonly [name: string, run: (engine: AnyEngine) => Promise<void>])[] = [
  [
    'the minimum of 13 points is the icosahedron',
    async (engine) => {
      const double = engine.device.info.precision === 'f64'
      const force = double ? 1e-7 : 1e-3
      await using simulation = await engine.simulate({
        law: lennardJones(),
        particles: { position: icosahedron(), velocity: new Array(39).fill(0.5), mass: new Array(13).fill(1) },
        dt: 0.02,
        // Its noise takes no part.
        integrator: langevin({ temperature: 1, friction: 1, seed: 1 }),
      })
      const minimum = await simulation.minimize({ force, steps: 400 })
      expect(minimum.converged).toBe(true)
      expect(minimum.force).toBeLessThanOrEqual(force)
      expect(minimum.steps).toBeGreaterThan(10)
      // D. J. Wales and J. P. K. Doye, J. Phys. Chem. A 101 (1997) 5111.
      const { potential } = await simulation.energy()
      expect(Math.abs(potential + 44.326801)).toBeLessThan(double ? 1e-6 : 1e-4)
      expect([simulation.steps, simulation.time]).toEqual([0, 0])
      expect(Array.from(await simulation.read('velocity'))).toEqual(new Array(39).fill(0.5))
      const again = await simulation.minimize({ force: 2 * force })
      expect(again).toEqual({ steps: 0, force: expect.any(Number), converged: true })
    },
  ],
  [
    'a descent holds fixed points, and finds the balance of bonds, a box and forces of the time now',
    async (engine) => {
      const spring = pairPotential('5*(r - 1)^2', { inertia: 'mass' })
      const weight = externalPotential('mass*time*position_y', { inertia: 'mass' })
      await using simulation = await engine.simulate({
        forces: [{ law: spring(), bonds: [[0, 1]], boundary: periodic([4, 4]) }, weight()],
        particles: { position: [0.5, 3.5, 0.6, 0.4, 3, 3], mass: [1, 2, 0.5], dimension: 2 },
        fixed: [0, 2],
        t0: 0.5,
        dt: 0.05,
      })
      const double = engine.device.info.precision === 'f64'
      const { converged } = await simulation.minimize({ force: double ? 1e-9 : 1e-5 })
      expect(converged).toBe(true)
      const [x = 0, y = 0, px = 0, py = 0, ...held] = await simulation.read('position')
      expect([x, y, ...held]).toEqual([0.5, 3.5, 3, 3])
      // Point 0 is at y = -0.5 in the next image: the weight of 1 stretches the spring of stiffness 10 by 0.1, downwards.
      expect(px).toBeCloseTo(0.5, double ? 8 : 4)
      expect((py + 4) % 4).toBeCloseTo(2.4, double ? 8 : 4)
    },
  ],
  [
    'first-order motion has minima, and too few steps do not converge',
    async (engine) => {
      const push = pairPotential('1/r')
      const trap = externalForce('-position')
      await using simulation = await engine.simulate({
        forces: [push(), trap()],
        particles: { position: [-1, 0.2, 1, 0], dimension: 2 },
        integrator: firstOrderRungeKutta4,
        dt: 0.05,
      })
      expect(await simulation.minimize({ force: 1e-4, steps: 3 })).toMatchObject({ steps: 3, converged: false })
      expect((await simulation.minimize({ force: 1e-4 })).converged).toBe(true)
      const [ax = 0, ay = 0, bx = 0, by = 0] = await simulation.read('position')
      // At a distance r, r/2 = 1/r^2.
      expect(Math.hypot(ax - bx, ay - by)).toBeCloseTo(Math.cbrt(2), 3)
    },
  ],
]
