// Refusals of computed attributes. `tests/support/simulations/computed.ts` has the sums and forces.

import { describe, expect, test } from 'vitest'
import { tree } from '../../src/index.ts'
import { pairForce, pairPotential, pairTerm } from '../../src/problem/interactions/define.ts'
import { gravity } from '../../src/problem/interactions/gravity.ts'
import { externalForce, externalPotential } from '../../src/simulation/forces/external-force.ts'
import type { SimulationOptions } from '../../src/simulation/state.ts'
import { referenceEngine } from '../support/reference-engine.ts'

const mass = { inertia: 'mass' } as const
const near = { law: pairTerm('mass_j', { name: 'near' })(), cutoff: 1 }
const product = pairPotential('density_i*density_j/r', mass)
const particles = { position: [0, 0, 0, 1, 0, 0], mass: [1, 1] }
const arrow = {
  computed: { g: { law: pairTerm('exp(-r2)*vector(f_j)')() } },
  particles: { ...particles, f: [1, 2, 3, 4, 5, 6] },
}
const vectorRead = '"computed.g" expected a sum that is one number, because energies or other sums depend on it'

describe('before anything moves, a simulation refuses', () => {
  test.each<[string, Record<string, unknown>, string]>([
    [
      'computed attributes that are no object',
      { computed: 'density' },
      '"computed" expected { density: { law: kernel(), cutoff: 0.1 } }, got',
    ],
    [
      'a number',
      { computed: { density: 3 } },
      '"computed.density" expected a sum over pairs, { law, cutoff }, or an expression of a point, got 3',
    ],
    [
      'a law that was not called',
      { computed: { density: { law: gravity } } },
      '"computed.density.law" expected a term',
    ],
    [
      'an energy',
      { computed: { density: { law: gravity() } } },
      '"computed.density.law" expected a term, got gravity, which gives an energy',
    ],
    [
      'a method',
      { computed: { density: { ...near, method: tree({ tolerance: 1e-3 }) } } },
      '"method" is not a part of computed.density',
    ],
    ['a text that does not parse', { computed: { density: 'mass +' } }, 'Cannot parse expression'],
    ['an attribute that nobody has', { computed: { density: 'mass*charge' } }, 'charge'],
    [
      'a term of two components',
      { computed: { density: { law: pairTerm({ a: 'dx', b: 'dy' })() } } },
      '"computed.density" expected one number per point, got 2',
    ],
    [
      'an expression of vectors',
      { computed: { density: '2*position' } },
      '"computed.density" expected one number per point, got 3',
    ],
    [
      'a sum that reads itself',
      { computed: { density: { law: pairTerm('density_j')() } } },
      '"computed.density" expected attributes that are known before it, but it reads density itself',
    ],
    [
      'an attribute before what it reads',
      { computed: { pressure: 'density', density: near } },
      '"computed.pressure" expected attributes that are known before it, but it reads density, which is computed after it; list that first',
    ],
    [
      'velocities',
      { computed: { speed: { law: pairTerm('velocity_x_j')() } } },
      '"computed.speed" expected positions and attributes, but it reads velocities',
    ],
    [
      'an attribute that is given, too',
      { computed: { charge: near }, particles: { ...particles, charge: [1, 1] } },
      '"charge" is computed by the simulation; leave it out of the particles',
    ],
    ['a name of its own', { computed: { simulationStep: near } }, '"simulationStep" is a name of the simulation'],
    ['a name with another meaning', { computed: { position: near } }, '"position"'],
    [
      'an energy of pairs that reads one and differs between both points',
      { computed: { density: near }, forces: [pairPotential('density_i*r', mass)()] },
      '"forces" expected an energy that both points of a pair share, because density_i*r reads density, which changes with the places of points, and it is not seen to be the same with _i and _j exchanged; write both alike',
    ],
    [
      'a shifted energy of pairs that reads one',
      { computed: { density: near }, forces: [{ law: product(), cutoff: 2, shift: true }] },
      '"shift" expected an energy of given attributes, but density_i*density_j/r reads density',
    ],
    [
      'an energy of pairs that reads one, with a cutoff of one end',
      { computed: { density: near }, forces: [{ law: product(), cutoff: 'mass_i' }] },
      '"cutoff" expected one number for both points of a pair, because density_i*density_j/r reads density, which changes with the places of points, got mass_i; write an expression such as max(size_i, size_j)',
    ],
    [
      'an energy of pairs that reads a vector',
      {
        computed: { smooth: { law: pairTerm('exp(-r2)*vector(f_j)')() } },
        forces: [pairPotential('dot(smooth_i, smooth_j)*r', mass)()],
        particles: { ...particles, f: [1, 2, 3, 4] },
      },
      '"computed.smooth" expected a sum that is one number, because energies or other sums depend on it',
    ],
    [
      'an energy of pairs that reads a component of a vector',
      { ...arrow, forces: [pairPotential('g_x_i*g_x_j*exp(-r2)', mass)()] },
      vectorRead,
    ],
    [
      'an energy of points that reads a component of a vector',
      { ...arrow, forces: [externalPotential('g_x^2', mass)()] },
      vectorRead,
    ],
    [
      'an energy of pairs that reads an expression of a component',
      { ...arrow, computed: { ...arrow.computed, e: 'g_x^2' }, forces: [pairPotential('e_i*e_j*exp(-r2)', mass)()] },
      vectorRead,
    ],
    [
      'an energy of points that reads an expression of a component',
      { ...arrow, computed: { ...arrow.computed, e: 'g_x^2' }, forces: [externalPotential('e', mass)()] },
      vectorRead,
    ],
    [
      'an energy of a sum over components',
      {
        ...arrow,
        computed: { ...arrow.computed, s: { law: pairTerm('g_x_j*exp(-r2)')() } },
        forces: [externalPotential('s^2', mass)()],
      },
      vectorRead,
    ],
    [
      'a component before its vector',
      { ...arrow, computed: { e: 'g_x^2', ...arrow.computed } },
      '"computed.e" expected attributes that are known before it, but it reads g, which is computed after it; list that first',
    ],
    [
      'an energy of bonds that reads a component',
      { ...arrow, forces: [gravity(), { law: pairPotential('g_x_i*g_x_j/r', mass)(), bonds: [[0, 1]] }] },
      '"forces" expected potentials of bonds that read given attributes, but g_x_i*g_x_j/r reads g',
    ],
    [
      'a tolerance for a law that reads a component',
      { ...arrow, forces: [{ law: pairForce('g_x_j*mass_i/r^3', mass)(), method: tree({ tolerance: 1e-3 }) }] },
      '"method" expected a law of given attributes, but g_x_j*mass_i/r^3 reads g',
    ],
    [
      'an energy of pairs that reads an expression of positions',
      { computed: { depth: 'position_z^2' }, forces: [pairPotential('depth_i*depth_j*r', mass)()] },
      '"computed.depth" expected an expression without positions, because energies of pairs or other sums depend on it',
    ],
    [
      'an energy of bonds that reads one',
      { computed: { density: near }, forces: [gravity(), { law: product(), bonds: [[0, 1]] }] },
      '"forces" expected potentials of bonds that read given attributes, but density_i*density_j/r reads density',
    ],
    [
      'a tolerance for a law that reads one',
      {
        computed: { density: near },
        forces: [{ law: pairForce('density_j*mass_i/r^3', mass)(), method: tree({ tolerance: 1e-3 }) }],
      },
      '"method" expected a law of given attributes, but density_j*mass_i/r^3 reads density',
    ],
    [
      'test particles for a potential of a sum',
      { computed: { density: near }, forces: [gravity(), externalPotential('density^2', mass)()], sources: 1 },
      '"sources" expected potentials of given attributes, but one reads computed.density',
    ],
    [
      'test particles for an energy of pairs that reads one',
      { computed: { density: near }, forces: [product()], sources: 1 },
      '"sources" expected potentials of given attributes, but one reads computed.density',
    ],
    [
      'a box of two lengths',
      { computed: { density: { ...near, boundary: { kind: 'periodic', lengths: [4, 4] } } } },
      '"boundary" expected 3 lengths',
    ],
  ])('%s', async (_, options, message) => {
    await using engine = await referenceEngine()
    const given = { forces: [gravity()], particles, dt: 0.01, ...options } as unknown as SimulationOptions
    await expect(engine.simulate(given)).rejects.toThrow(message)
  })
})

test('while it runs, a computed attribute is read but not written', async () => {
  await using engine = await referenceEngine()
  const simulation = await engine.simulate({ law: gravity(), computed: { near }, particles, dt: 0.01 })
  expect([...(await simulation.read('near'))]).toEqual([1, 1])
  await expect(simulation.write('near', [1, 2])).rejects.toThrow('near')
  await expect(simulation.add({ position: [2, 0, 0], mass: [1], near: [0] })).rejects.toThrow('near')
})

// Both points have c = exp(-r2). Each energy is a function of c alone, so central differences along their distance are those of a smooth function.
describe('where two sums are equal, the force is the gradient of', () => {
  test.each<[energy: string, self: 'exclude' | 'include']>([
    ['max(c_i, c_j)', 'exclude'],
    ['max(c_j, c_i)', 'exclude'],
    ['min(c_i, c_j)', 'exclude'],
    ['max(c_i, c_j)*min(c_j, c_i)', 'exclude'],
    ['select(c_i < c_j, c_j, c_i)', 'exclude'],
    ['select(c_i <= c_j, c_j, c_i)', 'exclude'],
    ['select(c_i < c_j, c_j - c_i, c_i - c_j)', 'exclude'],
    ['abs(c_i - c_j)', 'exclude'],
    ['max(c_i*d_j, c_j*d_i)', 'exclude'],
    ['max(c_i, d_j)*max(d_i, c_j)', 'exclude'],
    ['max(c_i, c_j)', 'include'],
  ])('%s, self: %s', async (energy, self) => {
    await using engine = await referenceEngine()
    const apart = (r: number) =>
      engine.simulate({
        computed: { c: { law: pairTerm('h_j*exp(-r2)')() }, d: 'c' },
        forces: [{ law: pairPotential(energy, mass)(), self }],
        particles: { position: [0, 0, 0, r, 0, 0], mass: [1, 1], h: [1, 1] },
        dt: 0.01,
      })
    const energyAt = async (r: number) => (await (await apart(r)).energy()).potential
    const step = 1e-5
    const slope = ((await energyAt(1 + step)) - (await energyAt(1 - step))) / (2 * step)
    const found = await (await apart(1)).read('acceleration')
    expect(found[3]).toBeCloseTo(-slope, 8)
    expect(found[0]).toBeCloseTo(slope, 8)
  })
})

test.each(['max(c_i, c_j)*exp(-r2)', 'select(c_j < c_i, c_i, c_j)*exp(-r2)'])(
  'where two sums are equal, a later sum of %s pushes along its gradient',
  async (term) => {
    await using engine = await referenceEngine()
    const simulation = await engine.simulate({
      computed: { c: { law: pairTerm('mass_j*exp(-r2)')() }, later: { law: pairTerm(term)() } },
      forces: [externalPotential('later', mass)()],
      particles,
      dt: 0.01,
    })
    // The energy of both points is 2 exp(-2r^2), and its slope at 1 is -8 exp(-2).
    expect((await simulation.read('acceleration'))[3]).toBeCloseTo(8 * Math.exp(-2), 12)
  },
)

test('the pressure has the forces of a potential of a sum', async () => {
  await using engine = await referenceEngine()
  const position = Array.from({ length: 30 }, (_, n) => ((n * 37) % 23) / 8)
  const scaled = (by: number) =>
    engine.simulate({
      computed: { density: { law: pairTerm('mass_j*exp(-r2)')() } },
      forces: [externalPotential('-sqrt(1 + density)', mass)()],
      particles: { position: position.map((x) => by * x), mass: position.slice(0, 10).map((_, n) => 1 + (n % 3)) },
      dt: 0.1,
    })
  const energyAt = async (by: number) => (await (await scaled(by)).energy()).potential
  const h = 1e-4
  const slope = (await energyAt(1 + h)) - (await energyAt(1 - h))
  expect(3 * (await (await scaled(1)).pressure({ volume: 1 }))).toBeCloseTo(-slope / (2 * h), 5)
})

test('a write does not mind a computed attribute of earlier places', async () => {
  await using engine = await referenceEngine()
  const simulation = await engine.simulate({
    computed: { closeness: '1/position_x' },
    forces: [externalForce('-closeness*velocity', mass)()],
    ...{ particles: { position: [0, 0, 0], mass: [1] }, dt: 0.01 },
  })
  await simulation.write('position', [4, 0, 0])
  await simulation.write('mass', [2])
  expect(await simulation.read('closeness')).toEqual(Float64Array.of(1 / 4))
})
