// Orbits of two and three bodies, against known solutions. Every case runs on every backend, except cases that need float64.

import { gravity, leapfrog, rungeKutta4, yoshida4 } from '@manybody/core'
import { expect } from 'vitest'
import { type AnyEngine, at, effort, farthest, type PhysicsCase, within } from './effort.ts'

const apart = (position: ArrayLike<number>, i: number, j: number) =>
  Math.hypot(...[0, 1, 2].map((axis) => at(position, 3 * i + axis) - at(position, 3 * j + axis)))

const turn = 2 * Math.PI

/** A light body around a heavy one, at its farthest point. The axis and the total mass are 1, so one turn takes 2 pi. */
const kepler = (eccentricity: number) => {
  const [far, slow] = [1 + eccentricity, Math.sqrt((1 - eccentricity) / (1 + eccentricity))]
  return {
    position: Float64Array.of(-0.25 * far, 0, 0, 0.75 * far, 0, 0),
    velocity: Float64Array.of(0, -0.25 * slow, 0, 0, 0.75 * slow, 0),
    mass: Float64Array.of(0.75, 0.25),
  }
}

/** The positions of its bodies at a time, by Kepler's equation. */
function keplerPosition(eccentricity: number, time: number): readonly number[] {
  const sinceNearest = time + turn / 2
  let anomaly = sinceNearest
  for (let n = 0; n < 50; n++)
    anomaly -= (anomaly - eccentricity * Math.sin(anomaly) - sinceNearest) / (1 - eccentricity * Math.cos(anomaly))
  const x = eccentricity - Math.cos(anomaly)
  const y = -Math.sqrt(1 - eccentricity ** 2) * Math.sin(anomaly)
  return [-0.25 * x, -0.25 * y, 0, 0.75 * x, 0.75 * y, 0]
}

/** The error of an orbit with adaptive steps, compared with Kepler's equation. */
async function adaptiveError(engine: AnyEngine, accuracy: number) {
  const dt = { accuracy, length: 1, shortest: 1e-6, longest: 1 }
  const simulation = await engine.simulate({ law: gravity(), particles: kepler(0.3), integrator: leapfrog, dt })
  while (simulation.time < 5) await simulation.step(10)
  const { steps, time } = simulation
  const error = farthest(await simulation.read('position'), keplerPosition(0.3, time))
  simulation.dispose()
  return { error, steps }
}

export const orbits: readonly PhysicsCase[] = [
  [
    'an orbit of Kepler has its period, and keeps its eccentricity and the direction of its axis',
    async (engine) => {
      const { turns, steps } = effort(engine, {
        deep: { turns: 100, steps: 2000 },
        fast: { turns: 3, steps: 2000 },
        slow: { turns: 1, steps: 280 },
      })
      const particles = kepler(0.6)
      const simulation = await engine.simulate({ law: gravity(), particles, integrator: yoshida4, dt: turn / steps })
      let [nearest, most] = [Infinity, 0]
      for (let n = 0; n < 40; n++) {
        await simulation.step(steps / 40)
        const r = apart(await simulation.read('position'), 0, 1)
        nearest = Math.min(nearest, r)
        most = Math.max(most, r)
      }
      const fourth = (2000 / steps) ** 4
      const eccentricity = (most - nearest) / (most + nearest)
      expect(Math.abs(eccentricity - 0.6)).toBeLessThan(1e-7 * fourth + within(engine, 0, 1e-5))
      await simulation.step((turns - 1) * steps)
      // The error of the phase grows by 3e-7 per turn, and rounding moves it, too.
      const allowed = turns * 2e-6 * fourth + within(engine, 0, 2e-5 * turns ** 1.5)
      expect(farthest(await simulation.read('position'), particles.position)).toBeLessThan(allowed)
      simulation.dispose()
    },
  ],
  [
    'three bodies run along a figure eight',
    async (engine) => {
      // A. Chenciner and R. Montgomery, Ann. of Math. 152 (2000) 881; initial values by C. Simo. It is stable.
      const [x, y] = [0.97000436, -0.24308753]
      const [vx, vy] = [-0.93240737, -0.86473146]
      const period = 6.32591398
      const particles = {
        position: Float64Array.of(x, y, 0, -x, -y, 0, 0, 0, 0),
        velocity: Float64Array.of(-vx / 2, -vy / 2, 0, -vx / 2, -vy / 2, 0, vx, vy, 0),
        mass: Float64Array.of(1, 1, 1),
      }
      const { periods, steps } = effort(engine, {
        deep: { periods: 100, steps: 1000 },
        fast: { periods: 3, steps: 1000 },
        slow: { periods: 1, steps: 200 },
      })
      const simulation = await engine.simulate({ law: gravity(), particles, integrator: yoshida4, dt: period / steps })
      const before = await simulation.energy()
      await simulation.step(periods * steps)
      // The initial values have eight digits.
      const allowed = periods * 2e-6 * (1000 / steps) ** 4 + within(engine, 0, 6e-5 * periods ** 1.5)
      expect(farthest(await simulation.read('position'), particles.position)).toBeLessThan(allowed)
      const { total } = await simulation.energy()
      const kept = 1e-9 * (1000 / steps) ** 4 + within(engine, 0, 2e-5 * Math.sqrt(periods))
      expect(Math.abs(total / before.total - 1)).toBeLessThan(kept)
      simulation.dispose()
    },
  ],
  [
    'the leapfrog bounds the error of the energy',
    async (engine) => {
      const steps = effort(engine, { deep: 100_000, fast: 4000, slow: 400 })
      const samples = 40
      const simulation = await engine.simulate({
        law: gravity(),
        particles: kepler(0.3),
        integrator: leapfrog,
        dt: 0.05,
      })
      const before = await simulation.energy()
      const errors: number[] = []
      for (let n = 0; n < samples; n++) {
        await simulation.step(steps / samples)
        errors.push(Math.abs((await simulation.energy()).total / before.total - 1))
      }
      const [first, second] = [Math.max(...errors.slice(0, samples / 2)), Math.max(...errors.slice(samples / 2))]
      expect(first).toBeLessThan(2e-3)
      expect(second, 'no drift').toBeLessThan(1.2 * first)
      simulation.dispose()
    },
  ],
  [
    'an orbit returns to its start when its steps are reversed',
    async (engine) => {
      const steps = effort(engine, { deep: 10_000, fast: 400, slow: 200 })
      const particles = kepler(0.3)
      const options = { law: gravity(), integrator: leapfrog }
      const forth = await engine.simulate({ ...options, particles, dt: 0.05 })
      await forth.step(steps)
      const there = { position: await forth.read('position'), velocity: await forth.read('velocity') }
      expect(farthest(there.position, particles.position)).toBeGreaterThan(0.1)
      const back = await engine.simulate({ ...options, particles: { ...particles, ...there }, dt: -0.05 })
      await back.step(steps)
      const allowed = within(engine, 1e-13, 4e-5) * (steps / 200) ** 1.5
      expect(farthest(await back.read('position'), particles.position)).toBeLessThan(allowed)
      for (const one of [forth, back]) one.dispose()
    },
  ],
  [
    'the error of adaptive steps falls with their accuracy, as a power of half the order',
    async (engine) => {
      const [coarse, fine] = [await adaptiveError(engine, 2e-3), await adaptiveError(engine, 5e-4)]
      expect(Math.abs(fine.steps / coarse.steps - 2)).toBeLessThan(0.2)
      expect(Math.abs(Math.log2(coarse.error / fine.error) - leapfrog.order)).toBeLessThan(0.4)
    },
  ],
]

export const exactOrbits: readonly PhysicsCase[] = [
  [
    'the Pythagorean problem reaches its first close encounter',
    async (engine) => {
      // V. Szebehely and C. F. Peters, Astron. J. 72 (1967) 876: masses 3, 4, 5 at rest on the corners of a right triangle.
      const particles = { position: Float64Array.of(1, 3, 0, -2, -1, 0, 1, -1, 0), mass: Float64Array.of(3, 4, 5) }
      const accuracy = effort(engine, { deep: 1e-7, fast: 1e-5, slow: 3e-5 })
      const dt = { accuracy, length: 1, shortest: 1e-9, longest: 0.01 }
      const simulation = await engine.simulate({ law: gravity(), particles, integrator: rungeKutta4, dt })
      while (simulation.time < 1.87) await simulation.step(5)
      let best = { r: Infinity, time: 0, pair: '' }
      while (simulation.time < 1.89) {
        await simulation.step()
        const position = await simulation.read('position')
        for (const [i, j] of [
          [0, 1],
          [0, 2],
          [1, 2],
        ] as const) {
          const r = apart(position, i, j)
          if (r < best.r) best = { r, time: simulation.time, pair: `${particles.mass[i]} ${particles.mass[j]}` }
        }
      }
      expect(best.pair).toBe('4 5')
      expect(best.time).toBeCloseTo(1.88, 2)
      expect(best.r).toBeLessThan(0.02)
      const { total } = await simulation.energy()
      expect(Math.abs(total / -(12 / 5 + 15 / 4 + 20 / 3) - 1)).toBeLessThan(1e-3)
      simulation.dispose()
    },
  ],
]
