// Simulations in triclinic boxes: a centred box of right angles is also a triclinic box of half the points.

import { describe, expect, it } from 'vitest'
import { pairPotential, pairTerm } from '../../src/problem/interactions/define.ts'
import { periodic } from '../../src/problem/workloads/define-domain.ts'
import { anglePotential } from '../../src/simulation/forces/angle-law.ts'
import { velocityVerlet } from '../../src/simulation/integrators.ts'
import { numbersBetween, random } from '../support/random.ts'
import { referenceEngine } from '../support/reference-engine.ts'

const [x, y, z] = [2.5, 3.5, 5]
const triclinic = periodic({ a: [x, 0, 0], b: [x / 2, y, 0], c: [0, 0, z] })
const straight = periodic([x, 2 * y, z])
const count = 12
const next = random(3)
/** A jittered lattice. */
const lattice = Float64Array.from({ length: 3 * count }, (_, n) => {
  const place = Math.floor(n / 3)
  const at = [(place % 2) * 1.25, (Math.floor(place / 2) % 2) * 1.75, Math.floor(place / 4) * 1.6][n % 3] as number
  return at + 0.2 * next()
})
/** The images that the points of the triclinic box begin as: some are moved by its vectors. */
const moves = lattice.map((_, n) => ([1.5 * x, y, -z][n % 3] as number) * (Math.floor(n / 3) % 3))
const position = lattice.map((along, n) => along + (moves[n] as number))
const velocity = numbersBetween(next, 3 * count, -1, 1)
const shifted = lattice.map((along, n) => along + ([x / 2, y, 0][n % 3] as number))
const both = (array: Float64Array, other = array) => Float64Array.from([...array, ...other])
const mass = numbersBetween(next, count, 1, 2)

const soft = pairPotential('mass_i*mass_j*exp(-r2)', { inertia: 'mass' })()
const spring = pairPotential('10*(r - 1)^2')()
const bend = anglePotential('3*(theta - 2)^2')()
const cutoff = 1.15

const twice = <T extends readonly number[]>(links: readonly T[]): T[] => [
  ...links,
  ...links.map((link) => link.map((point) => point + count) as unknown as T),
]
const bonds = [
  [0, 4],
  [3, 7],
] as const
const angles = [[1, 5, 9]] as const

describe('a simulation in a triclinic box', () => {
  it('moves as in the box of right angles with all points', async () => {
    await using engine = await referenceEngine()
    const integrator = velocityVerlet
    const computed = { density: { law: pairTerm('max(0, 1 - r2)')(), cutoff: 1 } }
    await using half = await engine.simulate({
      forces: [
        { law: soft, boundary: triclinic, cutoff, switchDistance: 1 },
        { law: spring, bonds },
        { law: bend, angles },
      ],
      ...{ computed, particles: { position, velocity, mass }, integrator, dt: 0.01 },
    })
    await using whole = await engine.simulate({
      forces: [
        { law: soft, boundary: straight, cutoff, switchDistance: 1 },
        { law: spring, bonds: twice(bonds) },
        { law: bend, angles: twice(angles) },
      ],
      ...{ computed, integrator, dt: 0.01 },
      particles: { position: both(lattice, shifted), velocity: both(velocity), mass: both(mass) },
    })
    for (const simulation of [half, whole]) await simulation.step(20)
    const [some, all] = [await half.read('position'), await whole.read('position')]
    for (const [n, along] of some.entries()) expect(along).toBeCloseTo((all[n] as number) + (moves[n] as number), 11)
    const [density, dense] = [await half.read('density'), await whole.read('density')]
    for (const [n, value] of density.entries()) expect(value).toBeCloseTo(dense[n] as number, 11)
    const [energy, total] = [await half.energy(), await whole.energy()]
    expect(2 * energy.potential).toBeCloseTo(total.potential, 10)
    expect(await half.pressure()).toBeCloseTo(await whole.pressure(), 11)
  })

  it('reads positions that are written', async () => {
    await using engine = await referenceEngine()
    const options = { forces: [{ law: soft, boundary: triclinic, cutoff }], integrator: velocityVerlet, dt: 0.01 }
    await using moved = await engine.simulate({
      ...options,
      particles: {
        position: position.map((at) => at + 0.1),
        velocity,
        mass,
      },
    })
    await using same = await engine.simulate({ ...options, particles: { position, velocity, mass } })
    await same.write(
      'position',
      position.map((at) => at + 0.1),
    )
    expect((await same.energy()).potential).toBe((await moved.energy()).potential)
    await same.step(3)
    await moved.step(3)
    expect(await same.read('position')).toEqual(await moved.read('position'))
  })

  it('refuses whatever needs right angles', async () => {
    await using engine = await referenceEngine()
    const start = (law: object, more: object = {}) =>
      engine.simulate({
        ...{ forces: [{ law: soft, boundary: triclinic, ...law }], particles: { position, velocity, mass } },
        ...{ integrator: velocityVerlet, dt: 0.01, ...more },
      } as never)
    await expect(start({})).rejects.toThrow('"cutoff" expected a number in a triclinic box, such as half the shortest')
    await expect(start({ cutoff: 2, exclusions: [[0, 1]] })).rejects.toThrow('beside exclusions, got 2;')
    await expect(start({ cutoff }, { events: [{ pairs: 'r < 0.1' }] })).rejects.toThrow(
      '"events[0]" expected a condition on points in a triclinic box',
    )
    await expect(
      engine.simulate({
        forces: [
          { law: soft, boundary: triclinic, cutoff },
          { law: soft, boundary: periodic([x, y, z]), cutoff },
        ],
        ...{ particles: { position, velocity, mass }, integrator: velocityVerlet, dt: 0.01 },
      }),
    ).rejects.toThrow(
      '"forces[1].boundary" expected the box of forces[0], 2.5 x 3.5 x 5 with tilts 1.25, 0, 0, got 2.5 x 3.5 x 5',
    )
  })
})
