// Simulations of laws that read vectors of any length: the errors for vectors that do not fit, or that a part of a simulation does not read.

import { expect, it } from 'vitest'
import {
  type ComputedAttributes,
  energy,
  externalForce,
  type Interaction,
  pairForce,
  pairPotential,
  pairTerm,
  type SimulationOptions,
  tree,
} from '../../src/index.ts'
import { referenceEngine } from '../support/reference-engine.ts'

const [count, length] = [6, 5]
const numbers = (size: number) => Float64Array.from({ length: size }, (_, n) => Math.sin(n + 1))
const particles = { position: numbers(3 * count), mass: new Float64Array(count).fill(1), f: numbers(length * count) }
const law = pairPotential('exp(-sqdist(f_i, f_j))/sqrt(r2 + 1)', { inertia: 'mass' })()
const metric = pairPotential('exp(-sum(g*(f_i - f_j)^2))', { inertia: 'mass', parameters: { g: [1, 1, 1] } })()

const scaled = pairPotential('r2*sum(p*f_i*f_j)', { inertia: 'mass', parameters: { p: 1 } })()

const { f: _, ...plain } = particles

const bondsWith = (own: Interaction, computed: ComputedAttributes = {}) => ({
  law: undefined,
  forces: [{ law: own, bonds: [[0, 1]] }],
  computed,
  particles: { ...plain, ...(own === law && { f: numbers(3 * count) }) },
})

const euler = {
  name: 'Euler',
  order: 1,
  stages: [{ kind: 'force' }, { kind: 'map', fraction: 1, outputs: { position: 'position + h*velocity' } }],
}

/** Its steps change an attribute. */
const turned = {
  name: 'turned',
  order: 1,
  stages: [{ kind: 'map', fraction: 1, outputs: { f: '2*f' } }, { kind: 'force' }],
}

it.each<[part: object, message: string]>([
  [
    { particles: { ...particles, f: numbers(7) } },
    '"f" expected a length that is a multiple of 6, the number of points, as a law reads a vector, got 7',
  ],
  [{ law: metric }, '"g" expected 5 numbers, as the vectors that it meets have, got 3'],
  [{ domain: { method: tree({ tolerance: 1e-3 }) } }, '"method" expected a law of displacements'],
  [
    { dt: { pairs: 'norm(f_i)', shortest: 1e-3, longest: 1 } },
    '"dt.pairs" expected numbers of two points, got the step that a pair allows, which reads vectors of any length',
  ],
  [
    { law: undefined, forces: [law, externalForce(['f', '0', '0'])()] },
    '"f" expected one number per point, got a vector of 5, which only laws of pairs read',
  ],
  [
    { events: [{ points: 'f > 1', resolve: 'remove' }] },
    '"f" expected one number per point, got a vector of 5, which only laws of pairs read',
  ],
  [
    { events: [{ pairs: 'r < 0.1', resolve: 'merge', rules: { f: 'f_i + f_j' } }] },
    'expected one of sum, mean, first, max, min, as it has 5 numbers a point',
  ],
  [
    { law: undefined, forces: [{ law: scaled, bonds: [[0, 1]], attributes: { p: [1] } }] },
    '"forces[0].attributes.p" expected a number outside of functions of vectors',
  ],
  [
    { law: undefined, forces: [{ law, bonds: [[0, 1]], attributes: { f: [1] } }] },
    '"f" is not a parameter of exp(-sqdist(f_i, f_j))/sqrt(r2 + 1)',
  ],
  [
    { events: [{ pairs: 'sqdist(f_i, f_j) < 1', resolve: 'remove' }] },
    '"events[0].pairs" expected numbers of two points, got vectors of any length, f; give the numbers as attributes',
  ],
  [
    {
      particles: { ...particles, q: numbers(count) },
      events: [{ pairs: 'r < 0.1', resolve: 'merge', rules: { f: 'sum', q: 'dot(f_i, f_j)' } }],
    },
    '"events[0].rules.q" expected numbers of two points, got vectors of any length, f',
  ],
  [
    {
      particles: { ...particles, q: numbers(count) },
      events: [{ pairs: 'r < 0.1', resolve: 'merge', rules: { f: 'sum', q: 'f_x_i + f_x_j' } }],
    },
    '"events[0].rules.q" expected attributes with one number for each of the particles, mass, q, got f_x',
  ],
  [
    {
      particles: plain,
      integrator: { ...euler, motion: 'first-order' },
      law: pairForce('norm(velocity_i - velocity_j)')(),
    },
    'reads velocities, which in first-order motion the forces give',
  ],
  [
    bondsWith(pairForce('dot(rho_i, rho_j)', { inertia: 'mass' })(), { rho: { law: pairTerm('exp(-r2)')() } }),
    '"forces[0]" expected vectors and kinds of points that only a caller changes, got rho, which steps change',
  ],
  [
    bondsWith(pairPotential('r2*dot(w_i, w_j)', { inertia: 'mass' })(), { w: 'time' }),
    '"forces[0]" expected vectors and kinds of points that only a caller changes, got w, which steps change',
  ],
  [
    bondsWith(pairForce('norm(velocity_i - velocity_j)', { inertia: 'mass' })()),
    '"forces[0]" expected vectors and kinds of points that only a caller changes, got velocity, which steps change',
  ],
  [
    { ...bondsWith(law), integrator: turned },
    '"forces[0]" expected vectors and kinds of points that only a caller changes, got f, which steps change',
  ],
])('refuses %o', async (part, message) => {
  const engine = await referenceEngine()
  const options = { law, particles, dt: 0.01, ...part } as SimulationOptions
  await expect(engine.simulate(options)).rejects.toThrow(message)
})

it('finds energies by vectors that the force does not read', async () => {
  const engine = await referenceEngine()
  const apart = pairPotential('dot(f_i, f_j) + 1/sqrt(r2 + 1)', { inertia: 'mass' })()
  const simulation = await engine.simulate({ law: apart, particles, dt: 0.01 })
  const { energy: truth } = await engine.run(energy(apart), particles)
  expect((await simulation.energy()).potential).toBeCloseTo(truth, 12)
})

it('gives a parameter all of its components at once', async () => {
  const engine = await referenceEngine()
  const weights = pairPotential('q*exp(-sum(g*(f_i - f_j)^2))*r2', {
    ...{ inertia: 'mass', parameters: { q: 1, g: [1, 1, 1, 1, 1] } },
  })()
  const simulation = await engine.simulate({ law: weights, particles, dt: 0.01 })
  await simulation.write('g', [1, 2, 3, 4, 5])
  for (const [name, given, options, part] of [
    ['g', [5, 4, 3, 2, 1], { indices: [1] }, 'indices'],
    ['q', 2, { first: 1 }, 'first'],
    ['fixed', [1], { indices: [0] }, 'indices'],
  ] as const)
    await expect(simulation.write(name, given, options)).rejects.toThrow(`"${part}" expected nothing with ${name}`)
})

it('merges points with vectors, component by component', async () => {
  const engine = await referenceEngine()
  const position = particles.position.slice()
  position.copyWithin(3, 0, 3)
  const simulation = await engine.simulate({
    ...{ law, particles: { ...particles, position }, dt: 1e-6 },
    events: [{ pairs: 'r < 0.01', resolve: 'merge', rules: { f: 'sum' } }],
  } as SimulationOptions)
  await simulation.step(1)
  const [f, own] = [await simulation.read('f'), particles.f]
  expect(f.length).toBe(length * (count - 1))
  expect(Array.from(f.slice(0, length))).toEqual(
    Array.from({ length }, (_, k) => (own[k] as number) + (own[length + k] as number)),
  )
  expect(Array.from(f.slice(length))).toEqual(Array.from(own.slice(2 * length)))
})

it.each([
  ['without a capacity', {}],
  ['with a capacity', { capacity: 10 }],
])('takes the lengths of vectors from the first points, %s', async (_, room) => {
  const engine = await referenceEngine()
  const empty = { position: [], mass: [], f: [], spin: [] }
  const begun = { ...particles, spin: numbers(3 * count) }
  const simulation = await engine.simulate({ law, particles: empty, dt: 0.01, ...room })
  await simulation.add(begun)
  const other = await engine.simulate({ law, particles: begun, dt: 0.01 })
  for (const one of [simulation, other]) await one.step(3)
  for (const name of ['f', 'spin', 'position']) expect(await simulation.read(name)).toEqual(await other.read(name))
  await simulation.write('f', numbers(length), { indices: [1] })
  await expect(simulation.add({ ...begun, f: numbers(4 * count) })).rejects.toThrow(
    '"f" expected 30 numbers, 5 for each of the 6 points, got 24',
  )
})

it.each([
  ['without a capacity', {}],
  ['with a capacity', { capacity: 10 }],
])('refuses first points if an external force reads their vectors, %s', async (_, room) => {
  const engine = await referenceEngine()
  const forces = [law, externalForce(['f', '0', '0'], { inertia: 'mass' })()]
  const empty = { position: [], mass: [], f: [] }
  const simulation = await engine.simulate({ forces, particles: empty, dt: 0.01, ...room })
  await expect(simulation.add(particles)).rejects.toThrow(
    '"f" expected one number per point, got a vector of 5, which only laws of pairs read',
  )
  expect(await simulation.read('f')).toHaveLength(0)
  expect(await simulation.add({ ...particles, f: numbers(count) })).toBe(0)
})
