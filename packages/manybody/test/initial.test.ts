// Initial conditions against known properties: energies, temperatures, orbits, densities.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import {
  accelerations,
  biotSavart,
  createEngine,
  energy,
  gravity,
  leapfrog,
  pairPotential,
  periodic,
  sum,
} from '@manybody/core'
import { afterAll, describe, expect, it } from 'vitest'
import {
  coldCollapse,
  disk,
  type InitialPoints,
  lattice,
  maxwellVelocities,
  plummerSphere,
  solarSystem,
  twoDisks,
  uniformBall,
  uniformBox,
  vortexRing,
} from '../src/initial/index.ts'

const engine = await createEngine({ backends: [cpuWasm({ threadsFrom: 0 })], precision: 'f64' })
afterAll(() => engine.dispose())
const at = (array: ArrayLike<number>, n: number) => array[n] as number
const row = (array: Float64Array, n: number) => array.subarray(3 * n, 3 * n + 3)
const size = (vector: ArrayLike<number>) => Math.hypot(...Array.from(vector))
const kinetic = ({ velocity, mass }: InitialPoints) =>
  velocity.reduce((total, v, n) => total + 0.5 * at(mass, Math.floor(n / 3)) * v * v, 0)
const potential = async ({ position, mass }: InitialPoints, G = 1) =>
  (await engine.run(energy(gravity({ G })), { position, mass })).energy
const moment = (vectors: Float64Array, mass: Float64Array, axis: number) =>
  mass.reduce((total, m, n) => total + m * at(vectors, 3 * n + axis), 0)

const spheres = { plummerSphere, uniformBall, coldCollapse } as const

describe.each(Object.entries(spheres))('%s', (_, sphere) => {
  it('has its mass, rests at the origin, and is the same for the same seed only', () => {
    const points = sphere({ count: 500, seed: 4, mass: 3 })
    expect(points.mass.reduce((a, b) => a + b)).toBeCloseTo(3, 12)
    for (const axis of [0, 1, 2])
      for (const vectors of [points.position, points.velocity])
        expect(Math.abs(moment(vectors, points.mass, axis))).toBeLessThan(1e-12)
    expect(sphere({ count: 500, seed: 4, mass: 3 })).toEqual(points)
    expect(sphere({ count: 500, seed: 5, mass: 3 }).position).not.toEqual(points.position)
  })
})

it('a Plummer sphere has the energies and the half-mass radius of the model, in any units', async () => {
  const [mass, radius, G] = [2, 3, 5]
  const points = plummerSphere({ count: 4000, seed: 1, mass, radius, G })
  const [K, W] = [kinetic(points), await potential(points, G)]
  const model = (-3 * Math.PI * G * mass * mass) / (32 * radius)
  expect(W / model).toBeCloseTo(1, 1)
  expect(Math.abs(-W / (2 * K) - 1), 'virial ratio').toBeLessThan(0.05)
  const radii = Array.from({ length: 4000 }, (_, n) => size(row(points.position, n))).sort((a, b) => a - b)
  expect(Math.abs(at(radii, 2000) / radius - 1.3048)).toBeLessThan(0.06)
})

it('a uniform ball has its energy, and a cold one its virial ratio', async () => {
  const ball = uniformBall({ count: 3000, seed: 2, radius: 2 })
  expect((await potential(ball)) / (-3 / (5 * 2))).toBeCloseTo(1, 1)
  const cold = coldCollapse({ count: 3000, seed: 2, virialRatio: 0.2 })
  expect((-2 * kinetic(cold)) / (await potential(cold))).toBeCloseTo(0.2, 1)
})

it('a box is filled evenly', () => {
  const places = uniformBox({ count: 20_000, seed: 3, lengths: [2, 5] })
  const mean = (axis: number) => places.filter((_, n) => n % 2 === axis).reduce((a, b) => a + b) / 20_000
  expect(mean(0)).toBeCloseTo(1, 1)
  expect(Math.abs(mean(1) - 2.5)).toBeLessThan(0.05)
  expect(places.every((x, n) => x > 0 && x < at([2, 5], n % 2))).toBe(true)
})

it('a disk keeps its radii for two turns of its edge', async () => {
  const particles = disk({ count: 60, seed: 1, diskMass: 1e-4 })
  const simulation = await engine.simulate({
    law: gravity({ softening: 0.01 }),
    particles,
    integrator: leapfrog,
    dt: 0.004,
  })
  const radii = (position: Float64Array) => Array.from({ length: 60 }, (_, n) => size(row(position, n + 1)))
  const before = radii(particles.position)
  await simulation.step(Math.round((4 * Math.PI) / 0.004))
  const after = radii(await simulation.read('position'))
  expect(Math.max(...after.map((r, n) => Math.abs(r / at(before, n) - 1)))).toBeLessThan(0.06)
})

it('lattices have their points per cell, and equal distances to their neighbours', () => {
  for (const [kind, points, nearest] of [
    ['cubic', 1, 1],
    ['bcc', 2, Math.sqrt(3) / 2],
    ['fcc', 4, Math.SQRT1_2],
  ] as const) {
    const { position, lengths } = lattice({ kind, cells: [3, 4, 2], spacing: 1.5 })
    expect(position.length / 3, kind).toBe(24 * points)
    expect(lengths).toEqual([4.5, 6, 3])
    const distances = Array.from({ length: position.length / 3 - 1 }, (_, n) => size(row(position, n + 1)))
    expect(Math.min(...distances), kind).toBeCloseTo(1.5 * nearest, 12)
  }
})

it('velocities have their temperature, whatever the masses', () => {
  const mass = Float64Array.from({ length: 20_000 }, (_, n) => 1 + (n % 3))
  const { velocity, ...points } = maxwellVelocities({ mass, temperature: 2, boltzmann: 0.5, seed: 1 })
  expect(points).toEqual({ mass })
  expect(points.mass).not.toBe(mass)
  expect((2 * kinetic({ position: velocity, velocity, mass })) / (3 * 20_000 * 0.5)).toBeCloseTo(2, 1)
  expect(Math.abs(moment(velocity, mass, 0))).toBeLessThan(1e-9)
})

it('a lattice and velocities are points of a simulation', async () => {
  const { position, lengths } = lattice({ kind: 'fcc', cells: [2, 2, 2], spacing: 1.5 })
  const moving = maxwellVelocities({ mass: new Float32Array(32).fill(2), temperature: 3, seed: 1 })
  const domain = { boundary: periodic(lengths), cutoff: 1.2 }
  await using simulation = await engine.simulate({
    forces: [{ law: pairPotential('1/r', { inertia: 'mass' })(), ...domain }],
    particles: { position, ...moving },
    dt: 0.001,
  })
  expect(await simulation.read('velocity')).toEqual(moving.velocity)
  expect(await simulation.read('mass')).toEqual(moving.mass)
})

it('a vortex ring moves along its axis, and blows upwards in its middle as the closed form says', async () => {
  const ring = vortexRing({ count: 400, circulation: 3, radius: 2 })
  const targets = { position: [0, 0, 0] }
  const { value } = await engine.run(sum(biotSavart()), { targets, sources: ring })
  expect(at(value, 2)).toBeCloseTo(3 / (2 * 2), 6)
})

it('the solar system has its periods, and its total energy is that of bound orbits', async () => {
  const { names, G, ...system } = solarSystem()
  expect(names).toHaveLength(10)
  const earth = row(system.position, 3).map((x, n) => x - at(system.position, n))
  // At J2000, the Earth is two days before its perihelion.
  expect(size(earth)).toBeCloseTo(0.9833, 3)
  const { acceleration } = await engine.run(accelerations(gravity({ G })), {
    position: system.position,
    mass: system.mass,
  })
  expect(size(row(acceleration, 3)) * size(earth) ** 2).toBeCloseTo(G, 6)
  const speed = row(system.velocity, 5).map((v, n) => v - at(system.velocity, n))
  const jupiter = row(system.position, 5).map((x, n) => x - at(system.position, n))
  const axis = 1 / (2 / size(jupiter) - size(speed) ** 2 / (G * (1 + 1 / 1047.348644)))
  expect(axis).toBeCloseTo(5.202887, 6)
  expect(kinetic(system) + (await potential(system, G))).toBeLessThan(0)
})

it.each([
  [() => plummerSphere({ count: -1, seed: 1 }), '"count" expected integer >= 0, got -1'],
  [() => plummerSphere({ count: 1, seed: 0.5 }), '"seed" expected integer >= 0, got 0.5'],
  [() => plummerSphere({ count: 1, seed: 1, size: 2 } as never), '"size" is not an option of plummerSphere'],
  [() => uniformBall({ count: 1, seed: 1, radius: 0 }), '"radius" expected finite number > 0, got 0'],
  [() => twoDisks({ count: 1, seed: 1, pericentre: 9 }), '"pericentre" expected at most the separation, 6, got 9'],
  [() => lattice({ kind: 'hcp' as 'fcc', cells: [1, 1, 1], spacing: 1 }), '"kind" expected "cubic" or "bcc" or "fcc"'],
  [() => maxwellVelocities({ mass: [0], temperature: 1, seed: 1 }), '"mass" expected finite number > 0, got 0'],
])('refuses wrong numbers', (make, message) => {
  expect(make).toThrow(message)
})
