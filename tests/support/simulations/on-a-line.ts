// Simulations of points on a line, against closed forms. Every case runs on every backend.

import {
  type Engine,
  externalPotential,
  langevin,
  type Precision,
  pairForce,
  pairPotential,
  periodic,
  radialDistribution,
  rungeKutta4,
} from '@manybody/core'
import { expect } from 'vitest'

type AnyEngine = Engine<Precision>

const spring = pairPotential('k*(r - 1)^2/2', { inertia: 'mass', parameters: { k: 2 } })
const pull = externalPotential('k*position_x^2/2', { parameters: { k: 1 }, inertia: 'mass' })

const within = (engine: AnyEngine) => (engine.device.info.precision === 'f64' ? 1e-5 : 3e-5)

/** Two points on a spring, stretched by 0.2, which drift together. */
const pair = { dimension: 1, position: [0, 1.2], velocity: [0.5, 0.5], mass: [1, 3] } as const

/** Their places at a time: the centre moves evenly, and the length swings. */
function placesAt(time: number): readonly [number, number] {
  const length = 1 + 0.2 * Math.cos(Math.sqrt(2 * (1 + 1 / 3)) * time)
  const centre = 0.9 + 0.5 * time
  return [centre - 0.75 * length, centre + 0.25 * length]
}

export const lineSimulations: readonly (readonly [name: string, run: (engine: AnyEngine) => Promise<void>])[] = [
  [
    'a spring on a line swings about its length',
    async (engine) => {
      for (const forces of [[spring()], [{ law: spring(), bonds: [[0, 1]] as const }]]) {
        const simulation = await engine.simulate({ forces, particles: pair, dt: 0.002 })
        await simulation.step(500)
        const found = await simulation.read('position')
        for (const [n, x] of placesAt(1).entries())
          expect(Math.abs((found[n] as number) - x)).toBeLessThan(within(engine))
        expect(Math.abs(((await simulation.momentum())[0] as number) - 2)).toBeLessThan(1e-5)
        expect(await simulation.angularMomentum()).toHaveLength(0)
        const { x } = await simulation.total({ x: 'mass*position' })
        expect(Math.abs((x as number) - 4 * (0.9 + 0.5))).toBeLessThan(1e-4)
        simulation.dispose()
      }
    },
  ],
  [
    'external forces, and a Runge-Kutta step, on a line',
    async (engine) => {
      const particles = { dimension: 1, position: [1, -2, 0.5], velocity: [0, 0, 0], mass: [1, 4, 2] } as const
      for (const integrator of [undefined, rungeKutta4]) {
        const simulation = await engine.simulate({
          ...{ forces: [pull()], particles, dt: 0.002 },
          ...(integrator && { integrator }),
        })
        await simulation.step(300)
        const found = await simulation.read('position')
        const wanted = particles.position.map((x, n) => x * Math.cos(0.6 / Math.sqrt(particles.mass[n] as number)))
        for (const [n, x] of wanted.entries()) expect(Math.abs((found[n] as number) - x)).toBeLessThan(within(engine))
        simulation.dispose()
      }
    },
  ],
  [
    'points on a line meet through the ends of a periodic box, and a snapshot goes on',
    async (engine) => {
      // An even chain stays where it is, whatever its ends meet.
      const count = 24
      const position = Float64Array.from({ length: count }, (_, n) => n)
      const particles = {
        dimension: 1,
        position,
        velocity: new Float64Array(count),
        mass: new Float64Array(count).fill(1),
      }
      const domain = { boundary: periodic([count]), cutoff: 3, switchDistance: 2 }
      const push = pairPotential('exp(-r2)', { inertia: 'mass' })
      const simulation = await engine.simulate({ law: push(), domain, particles, dt: 0.01 })
      await simulation.step(20)
      const resumed = await engine.resume(await simulation.snapshot())
      await Promise.all([simulation.step(20), resumed.step(20)])
      const [found, other] = [await simulation.read('position'), await resumed.read('position')]
      expect(other).toEqual(found)
      for (const [n, x] of position.entries()) expect(Math.abs((found[n] as number) - x)).toBeLessThan(within(engine))
      const { count: pairs, g } = await radialDistribution(
        engine,
        { dimension: 1, position },
        { boundary: domain.boundary, bins: 4, farthest: 4 },
      )
      expect(Array.from(pairs)).toEqual([0, count, count, count])
      for (const share of Array.from(g).slice(1)) expect(share).toBeCloseTo(count / (count - 1), 12)
      simulation.dispose()
      resumed.dispose()
    },
  ],
  [
    'a thermostat, and what a line refuses',
    async (engine) => {
      const thermostat = langevin({ temperature: 1, friction: 2, seed: 3, dimension: 1 })
      const count = 400
      const alone = { dimension: 1, position: new Float64Array(count), mass: new Float64Array(count).fill(2) }
      const simulation = await engine.simulate({ forces: [pull()], particles: alone, integrator: thermostat, dt: 0.05 })
      await simulation.step(100)
      expect(Math.abs((await simulation.temperature()) - 1)).toBeLessThan(0.3)
      simulation.dispose()
      const bent = { law: pairPotential('r2', { inertia: 'mass' })(), dt: 0.1 }
      const planar = pairForce({ x: '1', y: 'dx' }, { name: 'planar', inertia: 'mass' })
      await expect(engine.simulate({ ...bent, law: planar(), particles: pair })).rejects.toThrow(
        '"planar" expected points in 2-D or 3-D, as it has a y component, got dimension 1',
      )
      await expect(
        engine.simulate({ ...bent, domain: { boundary: periodic([3, 3]) }, particles: pair }),
      ).rejects.toThrow('"boundary" expected 1 lengths, as points are in 1-D, got 2')
    },
  ],
]
