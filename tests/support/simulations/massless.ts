// Points without mass, bonds without length, and thermostats of little friction. Every case runs on every backend.

import {
  anglePotential,
  type Engine,
  externalForce,
  externalPotential,
  gravity,
  langevin,
  type Precision,
  pairPotential,
} from '@manybody/core'
import { expect } from 'vitest'

type AnyEngine = Engine<Precision>

const mass = { inertia: 'mass' }
const spring = pairPotential('k*(r - rest)^2/2', { ...mass, parameters: { k: 2, rest: 1.5 } })

export const masslessSimulations: readonly (readonly [name: string, run: (engine: AnyEngine) => Promise<void>])[] = [
  [
    'dust without mass feels forces in proportion to mass, beside bonds and angles of other points',
    async (engine) => {
      const drag = externalForce(['-rate*mass*velocity_x', '-(rate*mass + 0)*velocity_y', '-rate*velocity_z*mass'], {
        ...mass,
        parameters: { rate: 0.5 },
      })
      const halo = externalPotential('mass*log(1 + position_x^2) + select(position_x < 9, mass*position_y, 0)', mass)
      const bend = anglePotential('(theta - 2)^2', mass)
      const particles = {
        position: [0, 0, 0, 1, 0, 0, 2, 1, 0, 2, 0, 0],
        velocity: [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3],
        mass: [1, 2, 1, 0],
      }
      const simulation = await engine.simulate({
        forces: [
          gravity({ softening: 1 }),
          drag(),
          halo(),
          { law: spring(), bonds: [[0, 1]] },
          { law: bend(), angles: [[0, 1, 2]] },
        ],
        particles,
        dt: 0.01,
      })
      // Gravity of three masses on the dust, drag 1/2 v, and the gradients of the halo.
      const pulls = [
        [-2, 0, 0, 1],
        [-1, 0, 0, 2],
        [0, 1, 0, 1],
      ].map(([x = 0, y = 0, , m = 0]) => [x, y, 0].map((d) => (m * d) / (x * x + y * y + 1) ** 1.5))
      const expected = [0, 1, 2].map((axis) => pulls.reduce((sum, pull) => sum + (pull[axis] as number), 0))
      const others = [-0.5 - 4 / 5, -1 - 1, -1.5]
      const found = (await simulation.read('acceleration')).subarray(9)
      for (const [axis, a] of found.entries())
        expect(Math.abs(a - (expected[axis] as number) - (others[axis] as number))).toBeLessThan(1e-6)
      await simulation.step(5)
      expect((await simulation.momentum()).every(Number.isFinite)).toBe(true)
      simulation.dispose()
    },
  ],
  [
    'a bond without length pushes its points apart as far as its rest length says',
    async (engine) => {
      for (const dimension of [2, 3] as const) {
        const place = [1, 2, 3].slice(0, dimension)
        const options = { particles: { position: [...place, ...place], mass: [1, 2], dimension }, dt: 0.01 }
        for (const force of [
          { law: spring(), bonds: [[1, 0]] as const },
          { law: spring({ rest: 0 }), bonds: [[0, 1]] as const, attributes: { rest: [1.5] } },
        ]) {
          const simulation = await engine.simulate({ ...options, forces: [force] })
          const before = await simulation.energy()
          expect(before.total).toBeCloseTo(2.25, 6)
          // The force is k rest = 3, equal and opposite, and along one axis.
          const pushed = [...(await simulation.read('acceleration'))]
          expect(pushed.map(Math.abs)).toEqual([3, 0, 0, 1.5, 0, 0].filter((_, n) => n % 3 < dimension))
          expect((pushed[0] as number) + 2 * (pushed[dimension] as number)).toBe(0)
          await simulation.step(100)
          const x = await simulation.read('position')
          expect(Math.hypot(...place.map((_, n) => (x[n] as number) - (x[dimension + n] as number)))).toBeGreaterThan(
            0.5,
          )
          expect(Math.abs((await simulation.energy()).total / before.total - 1)).toBeLessThan(1e-3)
          simulation.dispose()
        }
        // A spring without a rest length is in balance. A law without a limit at 0 has no term there, as in sums over pairs.
        for (const law of [spring({ rest: 0 }), pairPotential('1/r', mass)(), pairPotential('log(r)', mass)()]) {
          const simulation = await engine.simulate({ ...options, forces: [{ law, bonds: [[0, 1]] }] })
          expect([...(await simulation.read('acceleration'))].every((a) => a === 0)).toBe(true)
          simulation.dispose()
        }
      }
    },
  ],
  [
    'a thermostat of little friction takes as much from fast points as it should, and gives as much to slow ones',
    async (engine) => {
      // In float32, 260 has a unit of 3e-5, and loses 2.6e-5 in a step at a friction of 1e-7. The other half of the points is at rest.
      const half = engine.device.info.backend === 'reference' ? 100 : 4000
      const [steps, fast] = [200, 260]
      const velocity = Float64Array.from({ length: 2 * half }, (_, n) => (n < half ? fast : 0))
      const nothing = externalPotential('0*position_x', mass)
      const mean = (numbers: readonly number[]) => numbers.reduce((sum, x) => sum + x, 0) / numbers.length
      for (const friction of [1e-6, 1e-7, 1e-8]) {
        const simulation = await engine.simulate({
          forces: [nothing()],
          particles: {
            ...{ position: new Float64Array(2 * half), velocity, dimension: 2 },
            mass: new Float64Array(half).fill(1),
          },
          integrator: langevin({ temperature: 1, friction, seed: 11, dimension: 2 }),
          dt: 1,
        })
        await simulation.step(steps)
        const found = Array.from(await simulation.read('velocity'))
        simulation.dispose()
        // Four standard errors.
        const gained = -Math.expm1(-2 * friction * steps)
        const loss = fast - mean(found.slice(0, half))
        const error = 4 * Math.sqrt(gained / half)
        expect(Math.abs(loss + fast * Math.expm1(-friction * steps)), `friction ${friction}`).toBeLessThan(error)
        const squares = found.slice(half).map((v) => v * v)
        expect(Math.abs(mean(squares) / gained - 1)).toBeLessThan(4 * Math.sqrt(2 / half))
      }
    },
  ],
]
