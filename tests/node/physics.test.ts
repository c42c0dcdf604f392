// Physics that simulations must get right, on the processor in float64. `npm run deep` takes each case as far as theory says it
// holds; `npm test` takes less. Periods of bonds, vortices, noise and reversal are in simulations.ts and integrators.test.ts.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import {
  createEngine,
  firstOrderRungeKutta4,
  gravity,
  langevin,
  leapfrog,
  lennardJones,
  pairTerm,
  periodic,
  type SimulationOptions,
  yoshida4,
} from '@manybody/core'
import { afterAll, expect, test } from 'vitest'
import { lattice, maxwellVelocities, plummerSphere } from '../../packages/manybody/src/initial/index.ts'
import { deep } from '../support/share.ts'

const engine = await createEngine({ backends: [cpuWasm({ threadsFrom: 0 })], precision: 'f64', threads: 1 })
afterAll(() => engine.dispose())

const start = (options: SimulationOptions) => engine.simulate(options)
const at = (array: ArrayLike<number>, n: number) => array[n] as number
const apart = (position: ArrayLike<number>, i: number, j: number) =>
  Math.hypot(...[0, 1, 2].map((axis) => at(position, 3 * i + axis) - at(position, 3 * j + axis)))
const mean = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0) / numbers.length

/** A light body around a heavy one: axis 1, total mass 1, so that one turn takes 2 pi. */
const kepler = (eccentricity: number) => {
  const [far, slow] = [1 + eccentricity, Math.sqrt((1 - eccentricity) / (1 + eccentricity))]
  const mass = Float64Array.of(0.75, 0.25)
  return {
    position: Float64Array.of(-0.25 * far, 0, 0, 0.75 * far, 0, 0),
    velocity: Float64Array.of(0, -0.25 * slow, 0, 0, 0.75 * slow, 0),
    mass,
  }
}

test('an orbit of Kepler has its period, and keeps its eccentricity and the direction of its axis', async () => {
  const turns = deep ? 100 : 3
  const steps = 2000
  const simulation = await start({
    law: gravity(),
    particles: kepler(0.6),
    integrator: yoshida4,
    dt: (2 * Math.PI) / steps,
  })
  let [nearest, farthest] = [Infinity, 0]
  for (let n = 0; n < 40; n++) {
    await simulation.step(steps / 40)
    const r = apart(await simulation.read('position'), 0, 1)
    nearest = Math.min(nearest, r)
    farthest = Math.max(farthest, r)
  }
  expect((farthest - nearest) / (farthest + nearest)).toBeCloseTo(0.6, 7)
  await simulation.step((turns - 1) * steps)
  const end = await simulation.read('position')
  // The error of the phase grows with the number of turns: 3e-7 each.
  const { position } = kepler(0.6)
  expect(Math.max(...end.map((x, n) => Math.abs(x - at(position, n))))).toBeLessThan(turns * 2e-6)
})

test('three bodies run along a figure eight', async () => {
  // A. Chenciner and R. Montgomery, Ann. of Math. 152 (2000) 881; initial values by C. Simo. It is stable.
  const [x, y] = [0.97000436, -0.24308753]
  const [vx, vy] = [-0.93240737, -0.86473146]
  const period = 6.32591398
  const periods = deep ? 100 : 3
  const particles = {
    position: Float64Array.of(x, y, 0, -x, -y, 0, 0, 0, 0),
    velocity: Float64Array.of(-vx / 2, -vy / 2, 0, -vx / 2, -vy / 2, 0, vx, vy, 0),
    mass: Float64Array.of(1, 1, 1),
  }
  const steps = 1000
  const simulation = await start({ law: gravity(), particles, integrator: yoshida4, dt: period / steps })
  const before = await simulation.energy()
  await simulation.step(periods * steps)
  const end = await simulation.read('position')
  // The initial values have eight digits.
  expect(Math.max(...end.map((z, n) => Math.abs(z - at(particles.position, n))))).toBeLessThan(periods * 2e-6)
  expect(Math.abs((await simulation.energy()).total / before.total - 1)).toBeLessThan(1e-9)
})

test('the Pythagorean problem reaches its first close encounter', async () => {
  // V. Szebehely and C. F. Peters, Astron. J. 72 (1967) 876: masses 3, 4, 5 at rest on the corners of a right triangle.
  const particles = { position: Float64Array.of(1, 3, 0, -2, -1, 0, 1, -1, 0), mass: Float64Array.of(3, 4, 5) }
  const dt = deep ? 1e-5 : 1e-4
  const simulation = await start({ law: gravity(), particles, integrator: yoshida4, dt })
  await simulation.step(Math.round(1.8 / dt))
  let best = { r: Infinity, time: 0 }
  for (let n = 0; n < 100; n++) {
    await simulation.step(Math.round(0.001 / dt))
    const position = await simulation.read('position')
    const r = Math.min(apart(position, 0, 1), apart(position, 0, 2), apart(position, 1, 2))
    if (r < best.r) best = { r, time: simulation.time }
  }
  // The first two masses to meet are 4 and 5, at a time of 1.88 and a distance of 0.01.
  expect(best.time).toBeCloseTo(1.88, 2)
  expect(best.r).toBeLessThan(0.02)
  const { total } = await simulation.energy()
  expect(Math.abs(total / -(12 / 5 + 15 / 4 + 20 / 3) - 1)).toBeLessThan(1e-3)
})

test('a Plummer sphere stays in equilibrium', async () => {
  // A radius of 3 pi/16 makes the energy -1/4, and the crossing time 2 sqrt(2).
  const [count, crossings] = deep ? [2048, 10] : [256, 0.5]
  const particles = plummerSphere({ count, seed: 1, radius: (3 * Math.PI) / 16 })
  const simulation = await start({ law: gravity({ softening: 0.02 }), particles, dt: 0.01 })
  const before = await simulation.energy()
  const ratios: number[] = []
  for (let n = 0; n < 10 * crossings; n++) {
    await simulation.step(28)
    const { kinetic, potential } = await simulation.energy()
    ratios.push((-2 * kinetic) / potential)
  }
  // The virial ratio of count points has a standard error of about 1/sqrt(count); samples in one crossing time belong together.
  expect(Math.abs(mean(ratios) - 1)).toBeLessThan(3 / Math.sqrt(count))
  expect(Math.abs((await simulation.energy()).total / before.total - 1)).toBeLessThan(2e-3)
})

test('the leapfrog bounds the error of the energy', async () => {
  const steps = deep ? 100_000 : 4000
  const simulation = await start({ law: gravity(), particles: kepler(0.3), integrator: leapfrog, dt: 0.05 })
  const before = await simulation.energy()
  const errors: number[] = []
  for (let n = 0; n < 40; n++) {
    await simulation.step(steps / 40)
    errors.push(Math.abs((await simulation.energy()).total / before.total - 1))
  }
  const [first, second] = [errors.slice(0, 20), errors.slice(20)].map((half) => Math.max(...half)) as [number, number]
  expect(first).toBeLessThan(2e-3)
  expect(second, 'no drift').toBeLessThan(1.2 * first)
})

test('a liquid of Lennard-Jones keeps its energy, and has the published energy and pressure', async () => {
  // NIST Standard Reference Simulation Website, Lennard-Jones fluid, Monte Carlo in NVT with long-range corrections, cutoff 3.
  const state = { temperature: 0.85, density: 0.86, energy: -6.0305, pressure: 1.266 }
  const cells = deep ? 5 : 4
  const { position, lengths } = lattice({
    kind: 'fcc',
    cells: [cells, cells, cells],
    spacing: Math.cbrt(4 / state.density),
  })
  const count = position.length / 3
  const cutoff = Math.min(3, at(lengths, 0) / 2)
  const mass = new Float64Array(count).fill(1)
  const velocity = maxwellVelocities({ mass, temperature: 2 * state.temperature, seed: 1 })
  const options = {
    law: lennardJones(),
    domain: { boundary: periodic(lengths), cutoff },
    particles: { position, velocity, mass, sigma: mass, epsilon: mass },
    integrator: langevin({ temperature: state.temperature, friction: 1, seed: 1 }),
    dt: 0.004,
  }
  const liquid = await start(options)
  await liquid.step(deep ? 5000 : 500)
  const [energies, pressures]: [number[], number[]] = [[], []]
  for (let n = 0; n < (deep ? 1000 : 40); n++) {
    await liquid.step(20)
    energies.push((await liquid.energy()).potential / count)
    pressures.push(await liquid.pressure())
  }
  // What lies beyond the cutoff, if the density is even there.
  const [third, ninth] = [cutoff ** -3, cutoff ** -9]
  const tailEnergy = (8 / 3) * Math.PI * state.density * (ninth / 3 - third)
  const tailPressure = (16 / 3) * Math.PI * state.density ** 2 * ((2 / 3) * ninth - third)
  expect(Math.abs(mean(energies) + tailEnergy - state.energy)).toBeLessThan(deep ? 0.01 : 0.06)
  expect(Math.abs(mean(pressures) + tailPressure - state.pressure)).toBeLessThan(deep ? 0.05 : 0.3)

  const { arrays } = await liquid.snapshot()
  const { acceleration: _, previous: __, random1: _1, random2: _2, random3: _3, ...particles } = arrays
  const domain = { ...options.domain, switchDistance: cutoff - 0.5 }
  const free = await start({ ...options, domain, particles, integrator: leapfrog })
  const before = await free.energy()
  await free.step(deep ? 20_000 : 300)
  expect(Math.abs((await free.energy()).total - before.total) / count).toBeLessThan(1e-3)
})

test('vortices keep their impulse, their angular impulse and their energy', async () => {
  const vortices = pairTerm({ x: 'strength_j*dy/(2*pi*r2)', y: '-strength_j*dx/(2*pi*r2)' })
  const strength = Float64Array.of(1, -0.5, 2, 0.75, -1.25)
  const position = Float64Array.of(0, 0, 1, 0.2, -0.5, 1.1, 0.8, -0.9, -1.2, -0.4)
  const simulation = await start({
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
  await simulation.step(deep ? 20_000 : 1000)
  const [now, then] = [invariants(await simulation.read('position')), invariants(position)]
  for (const [n, value] of now.entries()) expect(Math.abs(value - at(then, n)), `${n}`).toBeLessThan(1e-6)
})
