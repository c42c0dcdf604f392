// Laws that depend on direction, not on distance alone: the exact gradient in 3-D and 2-D, and forces by components.

import { describe, expect, it } from 'vitest'
import { overLinks } from '../../src/engine/links/over-links.ts'
import { pairForce, pairPotential, pairTerm } from '../../src/problem/interactions/define.ts'
import { tree } from '../../src/problem/reductions/tree.ts'
import { accelerations, forces, potentials, sum, virial } from '../../src/problem/workloads/pair.ts'
import { anglePotential } from '../../src/simulation/forces/angle-law.ts'
import { numbersBetween, random } from '../support/random.ts'
import { referenceEngine } from '../support/reference-engine.ts'

/** Dipoles along z, an r^-3 law with direction. */
const dipole = pairPotential('mu_i*mu_j*(1 - 3*dz^2/r2)/r^3')()

describe('a potential that depends on direction', () => {
  it('gives the gradient written by hand', async () => {
    await using engine = await referenceEngine()
    const next = random(31)
    for (let n = 0; n < 50; n++) {
      const [x, y, z] = numbersBetween(next, 3, -2, 2) as unknown as [number, number, number]
      const mu = numbersBetween(next, 2, 0.5, 2)
      const { force } = await engine.run(forces(dipole), { position: Float64Array.of(0, 0, 0, x, y, z), mu })
      const m = (mu[0] as number) * (mu[1] as number)
      const r = Math.hypot(x, y, z)
      // The force on the source at d is -grad u(d), and the force on the target at 0 is the opposite.
      const onTarget = [
        m * ((-3 * x) / r ** 5 + (15 * x * z * z) / r ** 7),
        m * ((-3 * y) / r ** 5 + (15 * y * z * z) / r ** 7),
        m * ((-9 * z) / r ** 5 + (15 * z ** 3) / r ** 7),
      ]
      for (const [axis, f] of onTarget.entries()) {
        expect(Math.abs((force[axis] as number) - f)).toBeLessThan((1e-12 * m) / r ** 4)
        expect(Math.abs((force[3 + axis] as number) + f)).toBeLessThan((1e-12 * m) / r ** 4)
      }
    }
  })

  it('has the virial -n times the energy if it is homogeneous of degree n', async () => {
    await using engine = await referenceEngine()
    const position = Float64Array.of(0, 0, 0, 0.3, -0.8, 1.1)
    const particles = { position, mu: Float64Array.of(1, 2) }
    const { potential } = await engine.run(potentials(dipole), particles)
    const total = (await engine.run(virial(dipole), particles)).virial
    expect(total).toBeCloseTo(3 * (potential[0] as number), 12)
  })

  it('pushes only along x in 2-D if it depends only on dx', async () => {
    await using engine = await referenceEngine()
    const law = pairPotential('k*dx^2/2', { parameters: { k: 3 }, inertia: 'mass' })()
    const position = Float64Array.of(0, 0, 2, 5)
    const particles = { position, dimension: 2 as const, mass: Float64Array.of(1, 4) }
    expect((await engine.run(forces(law), particles)).force).toEqual(Float64Array.of(6, 0, -6, 0))
    expect((await engine.run(accelerations(law), particles)).acceleration).toEqual(Float64Array.of(6, 0, -1.5, 0))
  })
})

describe('a law in 2-D', () => {
  it('measures distances in the plane', async () => {
    await using engine = await referenceEngine()
    const spring = pairPotential('(r - 1)^2')()
    const { force } = await engine.run(forces(spring), { position: Float64Array.of(0, 0, 3, 4), dimension: 2 })
    expect([...force].map((f) => f.toFixed(12))).toEqual([4.8, 6.4, -4.8, -6.4].map((f) => f.toFixed(12)))
  })

  it('takes forces with two components', async () => {
    await using engine = await referenceEngine()
    const swirl = pairForce({ x: 'dy', y: '-dx' })()
    const { force } = await engine.run(forces(swirl), { position: Float64Array.of(0, 0, 1, 2), dimension: 2 })
    expect(force).toEqual(Float64Array.of(2, -1, -2, 1))
  })

  it.each([
    ['a potential of dz', forces(dipole)],
    ['a force with z', forces(pairForce({ x: 'dx', y: 'dy', z: '0' })())],
    ['a term of dz', sum(pairTerm('dz')())],
  ])('refuses %s', async (_, workload) => {
    await using engine = await referenceEngine()
    const particles = { position: new Float64Array(4), dimension: 2 as const, mu: new Float64Array(2) }
    await expect(engine.run(workload, particles)).rejects.toThrow('expected points in 3-D')
  })

  it('refuses a force without z for points in 3-D', async () => {
    await using engine = await referenceEngine()
    const flat = forces(pairForce({ x: 'dx', y: 'dy' }, { name: 'flat' })())
    await expect(engine.run(flat, { position: new Float64Array(6) })).rejects.toThrow(
      '"flat" expected points in 2-D, as its force has no z component, got dimension 3',
    )
  })
})

describe('on a line, a force', () => {
  const line = { position: Float64Array.of(1, 3, 7), dimension: 1 as const }

  it('has one component', async () => {
    await using engine = await referenceEngine()
    const rightward = forces(pairForce({ x: 'dx^2' }, { name: 'rightward' })())
    expect((await engine.run(rightward, line)).force).toEqual(Float64Array.of(40, 20, 52))
    await expect(engine.run(rightward, { position: new Float64Array(4), dimension: 2 })).rejects.toThrow(
      '"rightward" expected points in 1-D, as its force has no y component, got dimension 2',
    )
  })

  it.each([
    ['a second component', forces(pairForce({ x: 'dx', y: '0' })()), '2-D or 3-D, as it has a y component'],
    ['dz', sum(pairTerm('dz + dy')()), '3-D, as it has a z component'],
  ])('has no %s', async (_, workload, expected) => {
    await using engine = await referenceEngine()
    await expect(engine.run(workload, line)).rejects.toThrow(`expected points in ${expected}, got dimension 1`)
  })

  it('has its components in order', () => {
    expect(() => pairForce({ x: '1', z: '1' })).toThrow('"force" expected components in order: x, y, z, got')
  })

  it('is not approximated, and turns no angle', async () => {
    await using engine = await referenceEngine()
    const pull = pairPotential('-1/sqrt(r2 + 1)')
    await expect(engine.run(forces(pull(), { method: tree({ tolerance: 0.1 }) }), line)).rejects.toThrow(
      'a tree needs points in 2-D or 3-D, got 1-D; leave out the tree',
    )
    const bent = { law: anglePotential('theta^2')(), angles: [[0, 1, 2]] as const }
    await expect(engine.run(overLinks('energy', bent), line)).rejects.toThrow(
      '"dimension" expected 2 or 3, because angles do not turn on a line, got 1',
    )
  })
})

describe('components of a term', () => {
  it('may be called x, y and z without being those of a vector in space', async () => {
    await using engine = await referenceEngine()
    const two = sum(pairTerm({ x: 'dx', y: 'r2' })())
    const position = Float64Array.of(0, 0, 0, 3, 0, 4)
    expect((await engine.run(two, { position })).value).toEqual(Float64Array.of(3, 25, -3, 25))
    const three = sum(pairTerm({ x: '1', y: '2', z: 'dx' })())
    const flat = { position: Float64Array.of(0, 0, 3, 4), dimension: 2 as const }
    expect((await engine.run(three, flat)).value).toEqual(Float64Array.of(1, 2, 3, 1, 2, -3))
  })
})
