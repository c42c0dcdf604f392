// A barostat: uses that are refused, volumes of a gas, a device that is lost between changes of the box.

import { describe, expect, it } from 'vitest'
import { createEngine } from '../../src/engine/engine.ts'
import { coulomb } from '../../src/problem/interactions/coulomb.ts'
import { pairPotential } from '../../src/problem/interactions/define.ts'
import { periodic } from '../../src/problem/workloads/define-domain.ts'
import type { Boundary } from '../../src/problem/workloads/domain.ts'
import { nextVolume, normalAt } from '../../src/simulation/barostat/cell-rescaling.ts'
import { externalForce, externalPotential } from '../../src/simulation/forces/external-force.ts'
import { langevin } from '../../src/simulation/noise/langevin.ts'
import type { SimulationOptions } from '../../src/simulation/state.ts'
import { fakeBackend, proofRuns } from '../support/fake-backends.ts'
import { referenceEngine } from '../support/reference-engine.ts'

const soft = pairPotential('4*exp(-r2)', { name: 'soft', inertia: 'mass' })
const boundary = periodic([4, 4, 4])
const barostat = { pressure: 0.5, time: 1, compressibility: 0.5, every: 2, seed: 1 }
const thermostat = langevin({ temperature: 1, friction: 1, seed: 1 })
const options: SimulationOptions = {
  forces: [{ law: soft(), boundary, cutoff: 1.5 }],
  particles: { position: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], mass: [1, 2, 1, 1] },
  ...{ dt: 0.0625, integrator: thermostat, barostat },
}

describe('a barostat that does not suit is refused', () => {
  const wall = externalPotential('position_x^2', { name: 'wall', inertia: 'mass' })
  it.each<[string, object, string]>([
    ['a pressure that is no number', { barostat: { ...barostat, pressure: Number.NaN } }, '"barostat.pressure" expected finite number, got NaN'],
    ['a text', { barostat: 'Berendsen' }, '"barostat" expected { pressure, time, compressibility, seed }, got "Berendsen"'],
    ['null', { barostat: null }, '"barostat" expected { pressure, time, compressibility, seed }, got null'],
    ['an unknown option', { barostat: { ...barostat, tau: 1 } }, '"tau" is not an option of barostat; expected pressure, time, compressibility, every, seed'],
    ['no time', { barostat: { ...barostat, time: 0 } }, '"barostat.time" expected finite number > 0, got 0'],
    ['no seed', { barostat: { ...barostat, seed: undefined } }, '"barostat.seed" expected integer, got undefined'],
    ['half a step', { barostat: { ...barostat, every: 0.5 } }, '"barostat.every" expected integer >= 1, got 0.5'],
    ['no box', { forces: [soft()] }, '"barostat" expected forces in a periodic box, got none; give them boundary: periodic([...])'],
    ['an open axis', { forces: [{ law: soft(), boundary: periodic([4, 4, Number.POSITIVE_INFINITY]) }] }, '"barostat" expected a box that repeats along all axes, got one with an open axis'],
    ['no thermostat', { integrator: undefined }, '"barostat" expected a thermostat beside it, such as langevin(), which gives the temperature, but the integrator is leapfrog'],
    ['steps that adapt', { dt: { length: 1, shortest: 0.01, longest: 0.1 } }, '"barostat" expected steps of one length, got a rule for dt'],
    ['a wall', { forces: [{ law: soft(), boundary }, wall()] }, '"barostat" expected forces between points, got wall, which depends on places in the box'],
    ['constraints in another box', { constraints: { distances: [[0, 1, 1]], boundary: periodic([5, 5, 5]) } }, '"constraints.boundary" expected the box of the forces, 4 x 4 x 4, got 5 x 5 x 5; a system has one box'],
  ])('%s', async (_, change, message) => {
    await using engine = await referenceEngine()
    await expect(engine.simulate({ ...options, ...change })).rejects.toThrow(message)
  }) // biome-ignore format: a table

  it('and so are changes of the pressure without one', async () => {
    await using engine = await referenceEngine()
    const { barostat: _, ...plain } = options
    await using simulation = await engine.simulate(plain)
    await expect(simulation.set({ pressure: 1 })).rejects.toThrow(
      '"pressure" expected a simulation with a barostat, got 1; give simulate one: barostat: { pressure, ... }',
    )
    await using kept = await engine.simulate({
      ...options,
      forces: [{ law: soft(), boundary, cutoff: 1.5 }, externalForce('-velocity')()],
    })
    await expect(kept.set({ pressure: Number.NaN })).rejects.toThrow(
      '"barostat.pressure" expected finite number, got NaN',
    )
  })
})

it('a box goes on when it becomes smaller than two cutoffs, and larger again', async () => {
  await using engine = await referenceEngine()
  await using simulation = await engine.simulate({
    ...options,
    barostat: { ...barostat, pressure: 20, compressibility: 0.02 },
  })
  const lengths = () => (simulation.boundary.kind === 'periodic' ? simulation.boundary.lengths : [])
  for (const pressure of [20, 0.01]) {
    await simulation.set({ pressure })
    for (let n = 0; n < 50 && (pressure > 1 ? Number(lengths()[0]) > 2.8 : Number(lengths()[0]) < 3.2); n++)
      await simulation.step(2)
    expect(Math.abs(Number(lengths()[0]) - 3)).toBeGreaterThan(0.2)
    await using afresh = await engine.simulate({
      ...options,
      forces: [{ law: soft(), boundary: simulation.boundary, cutoff: 1.5 }],
      particles: { ...options.particles, position: await simulation.read('position') },
    })
    expect(await simulation.read('acceleration')).toEqual(await afresh.read('acceleration'))
  }
})

it('a box that exclusions forbid stops the steps there', async () => {
  await using engine = await referenceEngine()
  const forces = [{ law: soft(), boundary, cutoff: 1.5, exclusions: [[0, 1]] as const }]
  await using simulation = await engine.simulate({
    ...options,
    forces,
    barostat: { ...barostat, pressure: 20, compressibility: 0.02 },
  })
  const message = /^"cutoff" expected at most half the shortest box length, 1\.[1-4]\d*, beside exclusions, got 1\.5/
  await expect(simulation.step(400)).rejects.toThrow(message)
  await expect(simulation.step(400)).rejects.toThrow(/./)
  expect(simulation.boundary.kind === 'periodic' && simulation.boundary.lengths[0]).toBeGreaterThan(3)
})

it('a box that cannot hold the longest cutoff of a pair stops the steps there', async () => {
  await using engine = await referenceEngine()
  await using simulation = await engine.simulate({
    ...options,
    forces: [{ law: soft(), boundary, cutoff: 'radius_i + radius_j' }],
    particles: { ...options.particles, radius: [0.75, 0.5, 0.5, 0.75] },
    barostat: { ...barostat, pressure: 20, compressibility: 0.02 },
  })
  const message =
    /^"cutoff" expected at most half the shortest box length, 1\.4\d*, got "radius_i \+ radius_j", which may reach 1\.5/
  await expect(simulation.step(400)).rejects.toThrow(message)
  const { boundary: box, steps } = simulation
  expect(box.kind === 'periodic' && box.lengths[0]).toBeGreaterThan(3)
  await simulation.set({ pressure: 0.01 })
  await simulation.step(4)
  expect(simulation.steps).toBe(steps + 4)
})

describe('steps with a shorter cutoff, in which the box becomes smaller than two usual ones', () => {
  const pressed = { ...options, barostat: { ...barostat, pressure: 20, compressibility: 0.02 } }
  const lengthOf = ({ boundary: box }: { boundary: Boundary }) => Number(box.kind === 'periodic' && box.lengths[0])

  it('go on with the usual cutoff in its images', async () => {
    await using engine = await referenceEngine()
    await using simulation = await engine.simulate(pressed)
    await simulation.step(60, { parameters: { cutoff: 1 } })
    expect(lengthOf(simulation)).toBeGreaterThan(2)
    expect(lengthOf(simulation)).toBeLessThan(2.8)
    await using afresh = await engine.simulate({
      ...pressed,
      forces: [{ law: soft(), boundary: simulation.boundary, cutoff: 1.5 }],
      particles: { ...options.particles, position: await simulation.read('position') },
    })
    expect(await simulation.read('acceleration')).toEqual(await afresh.read('acceleration'))
  })

  it('say so if exclusions forbid the images', async () => {
    await using engine = await referenceEngine()
    const forces = [{ law: soft(), boundary, cutoff: 1.5, exclusions: [[0, 1]] as const }]
    await using simulation = await engine.simulate({ ...pressed, forces })
    const message = /^"cutoff" expected at most half the shortest box length, 1\.[0-4]\d*, beside exclusions, got 1\.5/
    await expect(simulation.step(60, { parameters: { cutoff: 1 } })).rejects.toThrow(message)
    expect(simulation.steps).toBe(60)
    await simulation.set({ parameters: { cutoff: 1 } })
    await simulation.step(1)
  })
})

it('points that are added or changed reach as far as the box of now allows', async () => {
  await using engine = await referenceEngine()
  const cutoff = 'radius_i + radius_j'
  await using simulation = await engine.simulate({
    ...options,
    capacity: 8,
    forces: [{ law: soft(), boundary, cutoff }],
    particles: { ...options.particles, radius: [0.5, 0.5, 0.5, 0.5] },
    barostat: { ...barostat, pressure: -5, compressibility: 0.04 },
  })
  const side = () => Number(simulation.boundary.kind === 'periodic' && simulation.boundary.lengths[0])
  const added = (radius: number) =>
    simulation.add({ position: [2, 2, 2], velocity: [0, 0, 0], mass: [1], radius: [radius] })
  for (let n = 0; n < 200 && side() < 5; n++) await simulation.step(2)
  expect(side()).toBeGreaterThan(5)
  expect(await added(1.2)).toBe(4)
  await simulation.write('radius', [1.1, 0.5, 0.5, 0.5, 1.25])
  const particles: Record<string, ArrayLike<number>> = { position: await simulation.read('position') }
  for (const name of ['mass', 'radius']) particles[name] = await simulation.read(name)
  const forces = [{ law: soft(), boundary: simulation.boundary, cutoff }]
  await using afresh = await engine.simulate({ ...options, forces, particles } as never)
  expect(await simulation.read('acceleration')).toEqual(await afresh.read('acceleration'))
  await simulation.write('radius', [0.5, 0.5, 0.5, 0.5, 0.5])
  await simulation.set({ pressure: 20 })
  for (let n = 0; n < 200 && side() > 3.5; n++) await simulation.step(2)
  await expect(added(0.95)).rejects.toThrow(/^"cutoff" expected at most half the shortest box length, 1\.[67]\d*, got/)
  await simulation.step(1)
  expect((await simulation.read('mass')).length).toBe(5)
})

it('points that are added reach as far as the parameters of now allow', async () => {
  await using engine = await referenceEngine()
  const law = pairPotential('4*exp(-r2)', { name: 'soft', inertia: 'mass', parameters: { scale: 1 } })()
  await using simulation = await engine.simulate({
    ...options,
    capacity: 8,
    forces: [{ law, boundary, cutoff: 'scale*(radius_i + radius_j)' }],
    particles: { ...options.particles, radius: [0.5, 0.5, 0.5, 0.5] },
    barostat,
  })
  const added = (radius: number) =>
    simulation.add({ position: [2, 2, 2], velocity: [0, 0, 0], mass: [1], radius: [radius] })
  await simulation.set({ parameters: { scale: 1.5 } })
  await expect(added(0.9)).rejects.toThrow(/^"cutoff" expected at most half the shortest box length/)
  await simulation.step(1)
  await simulation.set({ parameters: { scale: 0.5 } })
  expect(await added(1.2)).toBe(4)
  await simulation.step(1)
})

it('steps in which the box becomes too small for the usual cutoffs of pairs say so, and their parameters stay', async () => {
  await using engine = await referenceEngine()
  await using simulation = await engine.simulate({
    ...options,
    forces: [
      {
        law: pairPotential('4*exp(-r2)', { name: 'soft', inertia: 'mass', parameters: { scale: 1 } })(),
        boundary,
        cutoff: 'scale*(radius_i + radius_j)',
      },
    ],
    particles: { ...options.particles, radius: [0.75, 0.5, 0.5, 0.75] },
    barostat: { ...barostat, pressure: 20, compressibility: 0.02 },
  })
  const message =
    /^"cutoff" expected at most half the shortest box length, 1\.[0-4]\d*, got "scale\*\(radius_i \+ radius_j\)", which may reach 1\.5/
  await expect(simulation.step(60, { parameters: { scale: 0.5 } })).rejects.toThrow(message)
  expect(simulation.steps).toBe(60)
  await simulation.snapshot()
  await expect(simulation.set({ parameters: { scale: 1 } })).rejects.toThrow(message)
  await simulation.step(1)
})

it('a volume that would change too much at once stops the steps there, after the events of that step', async () => {
  await using engine = await referenceEngine()
  await using simulation = await engine.simulate({
    ...options,
    barostat: { ...barostat, pressure: 400, compressibility: 50 },
    events: [{ points: 'position_x > -100', every: 2 }],
  })
  const told: number[] = []
  simulation.onEvent(({ steps }) => void told.push(steps))
  const message = /^Cannot keep the pressure: it is \S+ after 2 steps, and the volume would change from 64.0 to/
  await expect(simulation.step(10)).rejects.toThrow(message)
  expect(simulation.boundary).toEqual(boundary)
  expect(simulation.steps).toBe(2)
  expect(told).toEqual([2])
})

it('volumes of a gas have the distribution of its pressure', () => {
  // Its points have new velocities each time: twice their kinetic energy is a sum of 3 N squares. The volume has the density V^N exp(-pV/kT).
  const [points, pressure, heat, rate] = [4, 0.5, 1.5, 0.1]
  let volume = (points * heat) / pressure
  let [sum, squares, samples] = [0, 0, 0]
  for (let step = 0; step < 200_000; step++) {
    let strain = 0
    for (let n = 0; n < 3 * points; n++) strain += heat * normalAt(7 + n, step) ** 2
    volume = nextVolume(volume, { excess: strain / (3 * volume) - pressure, heat, rate }, normalAt(1, step))
    sum += volume
    squares += volume ** 2
    samples++
  }
  const mean = sum / samples
  const unit = heat / pressure
  // Volumes forget where they were in 1/(rate pressure) = 20 changes, so that 5,000 are independent.
  expect(Math.abs(mean / ((points + 1) * unit) - 1)).toBeLessThan(0.02)
  expect(Math.abs((squares / samples - mean ** 2) / ((points + 1) * unit ** 2) - 1)).toBeLessThan(0.1)
})

describe('a device that is lost', () => {
  async function run(backends: Parameters<typeof createEngine>[0]['backends']) {
    await using engine = await createEngine({ backends, precision: 'f64' })
    const laws = [...(options.forces ?? []), { law: coulomb(), bonds: [[0, 1]] as const }]
    const charge = [1, -1, 1, -1]
    await using simulation = await engine.simulate({
      ...options,
      forces: laws,
      particles: { ...options.particles, charge },
    })
    await simulation.step(5)
    await simulation.set({ pressure: 1 })
    await simulation.step(4, { parameters: { 'integrator.temperature': 2 } })
    const { boundary: box } = simulation
    const { clock, forces, arrays, steps } = await simulation.snapshot()
    return { found: { clock, forces, arrays, steps, box }, recoveries: simulation.recoveries.length }
  }

  it.each([5, 12, 20, 28, 36])('in run %i, goes on with the box of each step', async (at) => {
    const steady = await run([fakeBackend('steady')])
    const lost = await run([fakeBackend('flaky', { losesAt: [proofRuns + at] })])
    expect(lost.recoveries).toBe(1)
    expect(lost.found).toEqual(steady.found)
  })
})
