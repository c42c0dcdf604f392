// Simulations of laws that read vectors of any length: the errors for vectors that do not fit, or that a part of a simulation does not read.

import { expect, it } from 'vitest'
import { energy, externalForce, pairPotential, type SimulationOptions, tree } from '../../src/index.ts'
import { referenceEngine } from '../support/reference-engine.ts'

const [count, length] = [6, 5]
const numbers = (size: number) => Float64Array.from({ length: size }, (_, n) => Math.sin(n + 1))
const particles = { position: numbers(3 * count), mass: new Float64Array(count).fill(1), f: numbers(length * count) }
const law = pairPotential('exp(-sqdist(f_i, f_j))/sqrt(r2 + 1)', { inertia: 'mass' })()
const metric = pairPotential('exp(-sum(g*(f_i - f_j)^2))', { inertia: 'mass', parameters: { g: [1, 1, 1] } })()

const scaled = pairPotential('r2*sum(p*f_i*f_j)', { inertia: 'mass', parameters: { p: 1 } })()

it.each<[part: object, message: string]>([
  [{ particles: { ...particles, f: numbers(7) } }, '"f" expected length 6, one number per point, got 7'],
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
