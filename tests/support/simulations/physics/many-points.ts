// Many points: a star cluster, a liquid, a thermostat and vortices, against theory and published numbers. Every case runs on
// every backend.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import {
  createEngine,
  externalPotential,
  firstOrderRungeKutta4,
  gravity,
  langevin,
  leapfrog,
  lennardJones,
  pairTerm,
  periodic,
  type SimulationOptions,
} from '@manybody/core'
import { expect } from 'vitest'
import { lattice, maxwellVelocities, plummerSphere } from '../../../../packages/manybody/src/initial/index.ts'
import { at, effort, mean, type PhysicsCase, within } from './effort.ts'

/**
 * The liquid near its triple point, Monte Carlo in NVT with long-range corrections: means and standard deviations.
 *
 * @source NIST Standard Reference Simulation Website, Lennard-Jones fluid properties, mmlapps.nist.gov/srs/LJ_PURE/mc.htm
 */
const published = { temperature: 0.85, density: 0.86, energy: -6.0305, pressure: 1.266 }
const publishedErrors = { energy: 2.38e-3, pressure: 1.36e-2 }

/** A Lennard-Jones liquid that has forgotten its lattice. It comes from the processor, because that takes many steps. */
async function liquid(cells: number) {
  const { position, lengths } = lattice({
    kind: 'fcc',
    cells: [cells, cells, cells],
    spacing: Math.cbrt(4 / published.density),
  })
  const mass = new Float64Array(position.length / 3).fill(1)
  const { temperature } = published
  const cutoff = Math.min(3, at(lengths, 0) / 2)
  const options: SimulationOptions = {
    law: lennardJones(),
    domain: { boundary: periodic(lengths), cutoff },
    particles: {
      position,
      ...maxwellVelocities({ mass, temperature: 2 * temperature, seed: 1 }),
      sigma: mass,
      epsilon: mass,
    },
    integrator: langevin({ temperature, friction: 1, seed: 1 }),
    dt: 0.004,
  }
  const engine = await createEngine({ backends: [cpuWasm({ threadsFrom: 0 })], precision: 'f64', threads: 1 })
  try {
    // So few points in a periodic box do not melt at the final temperature.
    const hot = langevin({ temperature: 4, friction: 1, seed: 1 })
    const melting = await engine.simulate({ ...options, integrator: hot })
    await melting.step(500)
    const particles = { ...options.particles, position: await melting.read('position') }
    const simulation = await engine.simulate({ ...options, particles })
    await simulation.step(1000)
    const moved = { position: await simulation.read('position'), velocity: await simulation.read('velocity') }
    return { ...options, particles: { ...options.particles, ...moved }, cutoff, count: mass.length }
  } finally {
    engine.dispose()
  }
}

const liquids = new Map<number, ReturnType<typeof liquid>>()
const liquidOf = (cells: number) => {
  const known = liquids.get(cells) ?? liquid(cells)
  liquids.set(cells, known)
  return known
}

/** A mean, and its standard error from the means of ten consecutive parts. */
function meanOf(samples: readonly number[]): { readonly mean: number; readonly error: number } {
  const cut = (n: number) => Math.floor((n * samples.length) / 10)
  const parts = Array.from({ length: 10 }, (_, n) => mean(samples.slice(cut(n), cut(n + 1))))
  const whole = mean(parts)
  return { mean: whole, error: Math.sqrt(mean(parts.map((part) => (part - whole) ** 2)) / 9) }
}

export const manyPoints: readonly PhysicsCase[] = [
  [
    'a Plummer sphere stays in equilibrium',
    async (engine) => {
      const little = engine.device.info.backend === 'reference'
      const { count, crossings } = effort(engine, {
        deep: { count: little ? 256 : 2048, crossings: 10 },
        fast: { count: 256, crossings: 0.5 },
        slow: { count: little ? 64 : 256, crossings: 0.3 },
      })
      // A radius of 3 pi/16 makes the energy -1/4, and the crossing time 2 sqrt(2).
      const particles = plummerSphere({ count, seed: 1, radius: (3 * Math.PI) / 16 })
      const simulation = await engine.simulate({ law: gravity({ softening: 0.02 }), particles, dt: 0.01 })
      const before = await simulation.energy()
      const ratios: number[] = []
      for (let n = 0; n < 10 * crossings; n++) {
        await simulation.step(28)
        const { kinetic, potential } = await simulation.energy()
        ratios.push((-2 * kinetic) / potential)
      }
      // The virial ratio of count points has a standard error of about 1/sqrt(count). Samples within one crossing time are correlated.
      expect(Math.abs(mean(ratios) - 1)).toBeLessThan(3 / Math.sqrt(count))
      expect(Math.abs((await simulation.energy()).total / before.total - 1)).toBeLessThan(2e-3)
      simulation.dispose()
    },
  ],
  [
    'a liquid of Lennard-Jones keeps its energy, and has the published energy and pressure',
    async (engine) => {
      const little = engine.device.info.backend === 'reference'
      const { cells, samples, steps } = effort(engine, {
        deep: little ? { cells: 3, samples: 200, steps: 1000 } : { cells: 5, samples: 1000, steps: 20_000 },
        fast: { cells: 4, samples: 40, steps: 300 },
        slow: little ? { cells: 3, samples: 10, steps: 40 } : { cells: 4, samples: 12, steps: 50 },
      })
      const { cutoff, count, ...start } = await liquidOf(cells)
      const thermal = await engine.simulate(start)
      const [energies, pressures]: [number[], number[]] = [[], []]
      for (let n = 0; n < samples; n++) {
        await thermal.step(20)
        energies.push((await thermal.energy()).potential / count)
        pressures.push(await thermal.pressure())
      }
      // The contribution from beyond the cutoff, if the density is uniform there.
      const [third, ninth] = [cutoff ** -3, cutoff ** -9]
      const tailEnergy = (8 / 3) * Math.PI * published.density * (ninth / 3 - third)
      const tailPressure = (16 / 3) * Math.PI * published.density ** 2 * ((2 / 3) * ninth - third)
      const [energy, pressure] = [meanOf(energies), meanOf(pressures)]
      // The last arguments allow for the size of the box, and for a density that is not uniform beyond the cutoff.
      const allowed = (found: number, error: number, size: number) => 6 * Math.hypot(found, error) + size
      expect(Math.abs(energy.mean + tailEnergy - published.energy)).toBeLessThan(
        allowed(energy.error, publishedErrors.energy, little ? 0.1 : 0.01),
      )
      expect(Math.abs(pressure.mean + tailPressure - published.pressure)).toBeLessThan(
        allowed(pressure.error, publishedErrors.pressure, little ? 0.5 : 0.05),
      )
      expect(energy.error).toBeLessThan(0.04)
      expect(pressure.error).toBeLessThan(0.25)

      const moved = { position: await thermal.read('position'), velocity: await thermal.read('velocity') }
      const free = await engine.simulate({
        ...start,
        domain: { ...start.domain, switchDistance: cutoff - 0.5 },
        particles: { ...start.particles, ...moved },
        integrator: leapfrog,
      })
      const before = await free.energy()
      await free.step(steps)
      expect(Math.abs((await free.energy()).total - before.total) / count).toBeLessThan(1e-3)
      for (const one of [thermal, free]) one.dispose()
    },
  ],
  [
    'a Langevin thermostat brings points in a trap to its temperature, with the distributions of Maxwell and Boltzmann',
    async (engine) => {
      const little = engine.device.info.backend === 'reference'
      const count = little ? 80 : 400
      const samplings = effort(engine, { deep: little ? 200 : 1000, fast: 12, slow: 8 })
      const trap = externalPotential('2*(position_x^2 + position_y^2 + position_z^2)', { inertia: 'mass' })
      const mass = Float64Array.from({ length: count }, (_, n) => (n % 2 === 0 ? 1 : 4))
      const simulation = await engine.simulate({
        forces: [trap()],
        particles: { position: new Float64Array(3 * count), mass },
        integrator: langevin({ temperature: 1.5, boltzmann: 2, friction: 1, seed: 7 }),
        dt: 0.1,
      })
      await simulation.step(60)
      let [squares, fourths, places, samples] = [0, 0, 0, 0]
      for (let n = 0; n < samplings; n++) {
        await simulation.step(15)
        const [velocity, position] = [await simulation.read('velocity'), await simulation.read('position')]
        for (const [k, v] of velocity.entries()) {
          const energy = (at(mass, Math.floor(k / 3)) * v * v) / 3
          squares += energy
          fourths += energy * energy
          places += (4 * at(position, k) ** 2) / 3
          samples++
        }
      }
      // The samples are almost independent. The mean square has a standard error of sqrt(2/samples), and the mean fourth power, which is 3,
      // has one of sqrt(96/samples). Steps of this length make velocities 1 part in 100 too small, and uniform noise makes their fourth
      // power 5 parts in 100 too small. Positions have no such error.
      const error = Math.sqrt(2 / samples)
      expect(Math.abs(places / samples - 1)).toBeLessThan(6 * error)
      expect(Math.abs(squares / samples - 0.99)).toBeLessThan(6 * error + 0.01)
      expect(Math.abs(fourths / samples / 3 - 0.95)).toBeLessThan((6 * error * Math.sqrt(48)) / 3 + 0.01)
      simulation.dispose()
    },
  ],
  [
    'vortices keep their impulse, their angular impulse and their energy',
    async (engine) => {
      const vortices = pairTerm({ x: 'strength_j*dy/(2*pi*r2)', y: '-strength_j*dx/(2*pi*r2)' })
      const strength = Float64Array.of(1, -0.5, 2, 0.75, -1.25)
      const position = Float64Array.of(0, 0, 1, 0.2, -0.5, 1.1, 0.8, -0.9, -1.2, -0.4)
      const simulation = await engine.simulate({
        forces: [vortices()],
        particles: { position, strength, dimension: 2 },
        integrator: firstOrderRungeKutta4,
        dt: 0.005,
      })
      const invariants = (p: ArrayLike<number>) => {
        const sum = (of: (x: number, y: number, g: number) => number) =>
          strength.reduce((total, g, n) => total + of(at(p, 2 * n), at(p, 2 * n + 1), g), 0)
        let energy = 0
        for (let i = 0; i < 5; i++)
          for (let j = 0; j < i; j++)
            energy +=
              at(strength, i) *
              at(strength, j) *
              Math.log(Math.hypot(at(p, 2 * i) - at(p, 2 * j), at(p, 2 * i + 1) - at(p, 2 * j + 1)))
        return [sum((x, _, g) => g * x), sum((_, y, g) => g * y), sum((x, y, g) => g * (x * x + y * y)), energy]
      }
      const steps = effort(engine, { deep: 20_000, fast: 1000, slow: 200 })
      await simulation.step(steps)
      const [now, then] = [invariants(await simulation.read('position')), invariants(position)]
      const allowed = within(engine, 1e-6, (2e-5 * steps) / 200)
      for (const [n, value] of now.entries()) expect(Math.abs(value - at(then, n)), `${n}`).toBeLessThan(allowed)
      simulation.dispose()
    },
  ],
]
