// A box that follows the pressure. Every case runs on every backend.

import {
  anglePotential,
  createEngine,
  langevin,
  lennardJones,
  pairPotential,
  periodic,
  reference,
  type Simulation,
  type SimulationOptions,
} from '@manybody/core'
import { expect } from 'vitest'
import { shapes } from './constraints.ts'
import { type AnyEngine, at, farthest, type PhysicsCase, within } from './physics/effort.ts'

const soft = pairPotential('10*exp(-r2/4)', { name: 'soft', inertia: 'mass' })
const spring = pairPotential('k*(r - 1)^2/2', { name: 'spring', parameters: { k: 3 } })
const bend = anglePotential('2*(theta - 2)^2')

const { mass, distances, box } = shapes as Required<typeof shapes>

/** Molecules of all shapes in a box, one of them across a face, with bonds and an angle between them. */
const molecules = (sides: readonly number[], position: ArrayLike<number>): SimulationOptions => {
  const boundary = periodic(sides)
  const velocity = Float64Array.from(shapes.velocity)
  return {
    particles: { position: Float64Array.from(position), velocity, mass: Float64Array.from(mass) },
    forces: [
      { law: soft(), boundary, cutoff: 3.5, switchDistance: 1 },
      { law: spring(), bonds: [[0, 5], [2, 11]] }, // biome-ignore format: pairs
      { law: bend(), angles: [[2, 6, 11]] },
    ],
    constraints: { distances },
    integrator: langevin({ temperature: 0, friction: 0.01, seed: 1 }),
    dt: 1 / 64,
  }
}

/** The points of each molecule. */
const groups = (() => {
  const group = mass.map((_, n) => n)
  for (const _ of distances) for (const [a, b] of distances) group[a] = group[b] = Math.min(at(group, a), at(group, b))
  return [...new Set(group)].map((first) => [...group.keys()].filter((n) => group[n] === first))
})()

/** The places or velocities of points whose molecules move rigidly, as their centres are multiplied. @param sides of the box, if it matters which image is near */
function scaled(array: ArrayLike<number>, factor: number, sides?: readonly number[]): number[] {
  const moved = Array.from(array)
  for (const points of groups)
    for (const axis of [0, 1, 2]) {
      const [first, side] = [at(array, 3 * (points[0] as number) + axis), sides?.[axis] ?? Number.POSITIVE_INFINITY]
      const cells = points.map((n) => side * (Math.round((at(array, 3 * n + axis) - first) / side) || 0) || 0)
      const total = points.reduce((sum, n) => sum + at(mass, n), 0)
      const centre = points.reduce(
        (sum, n, k) => sum + (at(mass, n) / total) * (at(array, 3 * n + axis) - at(cells, k)),
        0,
      )
      for (const [k, n] of points.entries())
        moved[3 * n + axis] = at(array, 3 * n + axis) + (factor - 1) * (centre + at(cells, k))
    }
  return moved
}

const sidesOf = ({ boundary }: Simulation<'f32' | 'f64'>): readonly number[] =>
  boundary.kind === 'periodic' ? boundary.lengths : []
const volumeOf = (sides: readonly number[]) => sides.reduce((product, side) => product * side, 1)

const [pressure, compressibility] = [0.25, 0.5]

/** The box after a step, the points in it, and the forces on them. */
interface Followed {
  readonly sides: readonly number[]
  readonly position: readonly number[]
  readonly velocity: readonly number[]
  readonly acceleration: ArrayLike<number>
}

/** In float64, from the energies of a larger and of a smaller box: their slope is the pressure of the forces. */
async function followed(): Promise<Followed> {
  await using exact = await createEngine({ backends: [reference()], precision: 'f64' })
  await using still = await exact.simulate(molecules(box, shapes.position))
  await still.step(1)
  const [position, velocity] = [await still.read('position'), await still.read('velocity')]
  const inBox = (factor: number) =>
    exact.simulate(
      molecules(
        box.map((side) => factor * side),
        scaled(position, factor, box),
      ),
    )
  const energies: number[] = []
  for (const factor of [1 + 1e-4, 1 - 1e-4]) {
    await using simulation = await inBox(factor)
    energies.push((await simulation.energy()).potential)
  }
  // Twice the velocity of the centres, less the velocity.
  const kinetic = scaled(velocity, 2).reduce((sum, v, n) => sum + (at(mass, Math.floor(n / 3)) * (v - at(velocity, n)) ** 2) / 2, 0) // biome-ignore format: one sum
  const now = (2 * kinetic - (at(energies, 0) - at(energies, 1)) / 2e-4) / (3 * volumeOf(box))
  expect(Math.abs(now - pressure)).toBeGreaterThan(0.02)
  const factor = (1 + (compressibility / 8 / 2) * (now - pressure)) ** (2 / 3)
  await using after = await inBox(factor)
  return {
    sides: box.map((side) => factor * side),
    position: scaled(position, factor, box),
    velocity: scaled(velocity, 1 / factor),
    acceleration: await after.read('acceleration'),
  }
}

let expected: Promise<Followed> | undefined

const fluid = (side: number): SimulationOptions => {
  const [count, spacing] = [side ** 3, 1.12]
  const position = Array.from({ length: count }, (_, n) => [n, n / side, n / side ** 2])
  const ones = Array.from({ length: count }, () => 1)
  return {
    particles: {
      position: position.flatMap((at) => at.map((k) => spacing * (Math.floor(k) % side))),
      ...{ mass: ones, sigma: ones, epsilon: ones },
    },
    law: lennardJones(),
    domain: { boundary: periodic([0, 1, 2].map(() => side * spacing)), cutoff: 2, switchDistance: 1.5 },
    integrator: langevin({ temperature: 1, friction: 1, seed: 2 }),
    dt: 0.004,
  }
}

async function resumed(engine: AnyEngine): Promise<void> {
  const barostat = { pressure: 0.5, time: 0.1, compressibility: 0.1, every: 3, seed: 3 }
  await using one = await engine.simulate({ ...fluid(5), barostat })
  await one.step(13)
  const before = sidesOf(one)
  await using other = await engine.resume(structuredClone(await one.snapshot()))
  expect(sidesOf(other)).toEqual(before)
  for (const simulation of [one, other]) {
    await simulation.step(2)
    await simulation.set({ pressure: 2 })
    await simulation.step(5, { parameters: { 'barostat.pressure': 8 } })
    await simulation.stepUntil(simulation.time + 0.03)
  }
  expect(sidesOf(one)).not.toEqual(before)
  expect(sidesOf(other)).toEqual(sidesOf(one))
  const found = await Promise.all([one, other].map((simulation) => simulation.snapshot()))
  expect(found[0]).toMatchObject({ barostat: { ...barostat, pressure: 2 }, domain: { boundary: one.boundary } })
  expect(found[1]?.arrays).toEqual(found[0]?.arrays)
}

/** Points that repel each other, in a box that a pressure pushes together. */
const pushed = (given: Partial<SimulationOptions>): SimulationOptions => {
  const [count, side] = [64, 8]
  const place = (n: number, axis: number) => 2 * (Math.floor(n / 4 ** axis) % 4) + 0.6 * Math.sin(7 * n + axis)
  return {
    particles: {
      position: Array.from({ length: 3 * count }, (_, n) => place(Math.floor(n / 3), n % 3)),
      ...{ mass: new Array(count).fill(1), radius: Array.from({ length: count }, (_, n) => 0.7 + 0.005 * n) },
    },
    forces: [{ law: soft(), boundary: periodic([side, side, side]), cutoff: 2.5, shift: true }],
    integrator: langevin({ temperature: 0.5, friction: 1, seed: 4 }),
    barostat: { pressure: 30, time: 1, compressibility: 0.02, every: 2, seed: 5 },
    dt: 1 / 64,
    ...given,
  }
}

/** Without noise, the side of a box after one step by its side before: from the energies of a larger and of a smaller box. */
async function sideAfterStep(given: Partial<SimulationOptions>): Promise<number> {
  const { barostat, ...free } = pushed(given)
  const { pressure, time, compressibility } = barostat as Required<typeof barostat> & { pressure: number }
  await using exact = await createEngine({ backends: [reference()], precision: 'f64' })
  await using still = await exact.simulate(free)
  await still.step(1)
  const [position, velocity] = [await still.read('position'), await still.read('velocity')]
  const energies: number[] = []
  for (const factor of [1 + 1e-4, 1 - 1e-4]) {
    const boundary = periodic(sidesOf(still).map((side) => factor * side))
    const all = inBoxOf(
      { boundary },
      free,
      position.map((x) => factor * x),
    )
    await using simulation = await exact.simulate(all)
    energies.push((await simulation.energy()).potential)
  }
  const motion = velocity.reduce((sum, v) => sum + v * v, 0)
  const now = (motion - (at(energies, 0) - at(energies, 1)) / 2e-4) / (3 * volumeOf(sidesOf(still)))
  return (1 + ((compressibility * Number(free.dt)) / time / 2) * (now - pressure)) ** (2 / 3)
}

/** Fixed points stay where they are in the box. The forces on them count in its pressure. */
async function holdsFixed(engine: AnyEngine): Promise<void> {
  const fixed = [3, 40, 41, 42]
  const cold = {
    fixed,
    integrator: langevin({ temperature: 0, friction: 1, seed: 4 }),
    barostat: { pressure: 30, time: 1, compressibility: 0.5, every: 1, seed: 5 },
  }
  await using once = await engine.simulate(pushed(cold))
  await once.step(1)
  expect(at(sidesOf(once), 0) / 8).toBeCloseTo(await sideAfterStep(cold), 5)
  await using simulation = await engine.simulate(pushed({ fixed }))
  const start = await simulation.read('position')
  const before = at(sidesOf(simulation), 0)
  await simulation.step(20)
  const factor = at(sidesOf(simulation), 0) / before
  expect(factor).toBeLessThan(0.98)
  const [position, velocity] = [await simulation.read('position'), await simulation.read('velocity')]
  for (const n of fixed)
    for (const axis of [0, 1, 2]) {
      expect(at(position, 3 * n + axis)).toBeCloseTo(factor * at(start, 3 * n + axis), 4)
      expect(at(velocity, 3 * n + axis)).toBe(0)
    }
  await using afresh = await engine.simulate(inBoxOf(simulation, pushed({ fixed }), position))
  const forces = await afresh.read('acceleration')
  expect(farthest(await simulation.read('acceleration'), Array.from(forces))).toBeLessThan(within(engine, 1e-7, 2e-4))
}

/** The same points where and in which box they are now. */
function inBoxOf(
  { boundary }: Pick<Simulation<'f32' | 'f64'>, 'boundary'>,
  options: SimulationOptions,
  position: ArrayLike<number>,
): SimulationOptions {
  const [{ boundary: _, ...force }] = options.forces as [{ law: never; boundary: never }]
  const particles = { ...options.particles, position: Float64Array.from(position) }
  return { ...options, particles, forces: [{ ...force, boundary }] } as SimulationOptions
}

/** Events find the pairs that touch in the box as it is after each change. */
async function seesTouching(engine: AnyEngine): Promise<void> {
  const [near, told] = [1.2, [] as number[]]
  await using simulation = await engine.simulate(pushed({ events: [{ pairs: `r < ${near}`, every: 4 }] }))
  simulation.onEvent(async ({ steps, pairs }) => {
    told.push(steps)
    const [position, sides] = [await simulation.read('position'), sidesOf(simulation)]
    const gap = (i: number, j: number) =>
      Math.hypot(
        ...[0, 1, 2].map((axis) => {
          const [d, side] = [at(position, 3 * j + axis) - at(position, 3 * i + axis), at(sides, axis)]
          return d - side * Math.round(d / side)
        }),
      )
    const touching = [...new Array(64).keys()].flatMap((i) =>
      [...new Array(i).keys()].filter((j) => gap(j, i) < near).map((j) => `${j} ${i}`),
    )
    expect(pairs.map(([i, j]) => `${i} ${j}`).sort()).toEqual(touching.sort())
  })
  await simulation.step(40)
  expect(told.length).toBeGreaterThan(3)
  expect(told.every((steps) => steps % 4 === 0)).toBe(true)
}

/** Cutoffs of pairs stay what they are as the box shrinks. */
async function keepsReaches(engine: AnyEngine): Promise<void> {
  const boundary = periodic([8, 8, 8])
  const options = pushed({ forces: [{ law: soft(), boundary, cutoff: 'radius_i + radius_j' }] })
  await using simulation = await engine.simulate(options)
  await simulation.step(20)
  expect(at(sidesOf(simulation), 0)).toBeLessThan(7.8)
  await using afresh = await engine.simulate(inBoxOf(simulation, options, await simulation.read('position')))
  const forces = await afresh.read('acceleration')
  expect(farthest(await simulation.read('acceleration'), Array.from(forces))).toBeLessThan(within(engine, 1e-7, 2e-4))
}

/** Points that come, go or merge between changes of the box move with the next one. */
async function movesOthers(engine: AnyEngine): Promise<void> {
  const events = [{ pairs: 'r < 0.3', every: 7, resolve: 'merge', rules: { radius: 'max' } }] as const
  await using simulation = await engine.simulate(pushed({ capacity: 100, events }))
  await simulation.step(2)
  const more = (position: readonly number[]) =>
    simulation.add({ position, velocity: [0, 0, 0, 0, 0, 0], mass: [1, 1], radius: [1, 1] })
  const changes: readonly (() => Promise<unknown>)[] = [
    () => more([0.9, 0.9, 0.9, 3, 3, 2.9]),
    () => simulation.remove([1, 2, 3]),
    () => more([7, 7, 7, 7, 7, 7.1]),
  ]
  const counts: number[] = []
  for (const change of changes) {
    await change()
    await using afresh = await engine.resume(structuredClone(await simulation.snapshot()))
    for (const one of [simulation, afresh]) await one.step(2)
    for (const name of ['position', 'velocity'])
      expect(farthest(await simulation.read(name), Array.from(await afresh.read(name)))).toBeLessThan(
        within(engine, 1e-10, 1e-5),
      )
    counts.push((await simulation.read('mass')).length)
  }
  expect(counts).toEqual([66, 63, 64])
  expect(at(sidesOf(simulation), 0)).toBeLessThan(7.9)
}

export const barostatSimulations: readonly PhysicsCase[] = [
  [
    'a box follows the pressure of its molecules, which keep their form',
    async (engine) => {
      expected ??= followed()
      const { sides, position, velocity, acceleration } = await expected
      const barostat = { pressure, compressibility, time: 1 / 8, every: 1, seed: 1 }
      await using simulation = await engine.simulate({ ...molecules(box, shapes.position), barostat })
      await simulation.step(1)
      expect(farthest(sidesOf(simulation), sides)).toBeLessThan(within(engine, 2e-8, 1e-5))
      expect(farthest(await simulation.read('position'), position)).toBeLessThan(within(engine, 2e-8, 1e-5))
      expect(farthest(await simulation.read('velocity'), velocity)).toBeLessThan(within(engine, 2e-8, 1e-5))
      // Forces are those in the box of now, and so is the pressure.
      expect(farthest(await simulation.read('acceleration'), acceleration)).toBeLessThan(within(engine, 1e-7, 2e-4))
      const perVolume = (await simulation.pressure({ volume: 1 })) / volumeOf(sides)
      expect((await simulation.pressure()) / perVolume).toBeCloseTo(1, 5)
    },
  ],
  ['a box with noise goes on from a snapshot bit for bit, and changes its pressure', resumed],
  ['points that are fixed keep their places in a box that changes', holdsFixed],
  ['events see a box as its barostat leaves it', seesTouching],
  ['points that come, go or merge move with a box that changes', movesOthers],
  ['pairs with cutoffs of their own keep them in a box that changes', keepsReaches],
]
