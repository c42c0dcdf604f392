// Sums of laws: the same numbers as the laws one after the other, one name for each parameter, and laws without a sum.

import { describe, expect, it } from 'vitest'
import { biotSavart } from '../../src/problem/interactions/biot-savart.ts'
import { sumOf } from '../../src/problem/interactions/composed/sum-of.ts'
import { coulomb } from '../../src/problem/interactions/coulomb.ts'
import { pairForce, pairPotential, pairTerm } from '../../src/problem/interactions/define.ts'
import { gravity } from '../../src/problem/interactions/gravity.ts'
import type { Interaction } from '../../src/problem/interactions/interaction.ts'
import { lennardJones } from '../../src/problem/interactions/lennard-jones.ts'
import { yukawa } from '../../src/problem/interactions/yukawa.ts'
import { accelerations, energy, forces, sum, virial } from '../../src/problem/workloads/pair.ts'
import { numbersBetween, random } from '../support/random.ts'
import { referenceEngine } from '../support/reference-engine.ts'

const next = random(7)
const count = 9
const particles = {
  position: numbersBetween(next, 3 * count, -2, 2),
  ...Object.fromEntries(
    ['mass', 'charge', 'sigma', 'epsilon', 'wx', 'wy', 'wz'].map((name) => [
      name,
      numbersBetween(next, count, 0.5, 1.5),
    ]),
  ),
} as { position: Float64Array; [name: string]: Float64Array }
const push = pairForce('k*charge_j', { name: 'push', parameters: { k: 1 } })

const sums: readonly (readonly [string, readonly Interaction[]])[] = [
  ['potentials', [gravity({ softening: 0.1 }), coulomb({ k: 0.3 }), lennardJones()]],
  ['the same law with two parameters', [gravity({ G: 2 }), gravity({ G: -0.5, softening: 0.5 })]],
  ['a potential and a force', [yukawa(), push({ k: 0.25 })]],
]

describe.each(sums)('the sum of %s', (_, laws) => {
  it('gives the force, the virial and the energy of all', async () => {
    await using engine = await referenceEngine()
    const whole = sumOf(...laws)
    const parts = await Promise.all(laws.map(async (law) => (await engine.run(forces(law), particles)).force))
    const { force } = await engine.run(forces(whole), particles)
    for (const [n, f] of force.entries()) {
      const expected = parts.reduce((total, part) => total + (part[n] as number), 0)
      expect(Math.abs(f - expected)).toBeLessThan(
        1e-12 * parts.reduce((size, part) => size + Math.abs(part[n] as number), 1),
      )
    }
    const virials = await Promise.all(laws.map(async (law) => (await engine.run(virial(law), particles)).virial))
    expect((await engine.run(virial(whole), particles)).virial).toBeCloseTo(
      virials.reduce((a, b) => a + b),
      9,
    )
    if (whole.kind !== 'potential') return
    const energies = await Promise.all(laws.map(async (law) => (await engine.run(energy(law), particles)).energy))
    expect((await engine.run(energy(whole), particles)).energy).toBeCloseTo(
      energies.reduce((a, b) => a + b),
      9,
    )
  })
})

it('a sum of terms adds component by component', async () => {
  await using engine = await referenceEngine()
  const other = pairTerm({ ux: 'dx*wx_j', uy: '1', uz: 'r' }, { name: 'other' })
  const [both, a, b] = await Promise.all(
    [sumOf(biotSavart(), other()), biotSavart(), other()].map(
      async (law) => (await engine.run(sum(law), particles)).value,
    ),
  )
  for (const [n, value] of (both ?? []).entries()) expect(value).toBeCloseTo((a?.[n] ?? 0) + (b?.[n] ?? 0), 12)
})

const summedVectors = (text: string, parameters: Readonly<Record<string, number | readonly number[]>>) =>
  pairTerm(text, { parameters })()

it.each<[laws: readonly Interaction[], expected: readonly number[], more?: object]>([
  [
    [summedVectors('dot(w, x_j)', { w: [1, 10] }), summedVectors('q_j*w', { w: 7 })],
    [43 + 42, 21 + 35],
  ],
  [
    [summedVectors('dot(w, x_j)', { w: [1, 10] }), summedVectors('dot(w, x_j)', { w: [3, 0] })],
    [43 + 9, 21 + 3],
  ],
  [
    [summedVectors('dot(q, x_j)', { q: [1, 10] }), summedVectors('q_j', {})],
    [43 + 6, 21 + 5],
  ],
  [
    [summedVectors('sum(p*x_j)', { p: 1 }), summedVectors('sum(p*x_j)', { p: 5 })],
    [7 + 35, 3 + 15],
  ],
  [
    [summedVectors('vector(p*x_j)', { p: 1 }), summedVectors('vector(p*x_j)', { p: 5 })],
    [18, 24, 6, 12],
  ],
  [
    [summedVectors('vector(w*x_j)', { w: [1, 2] }), summedVectors('vector(w + x_i)', { w: [10, 20] })],
    [3 + 11, 8 + 22, 1 + 13, 4 + 24],
  ],
  [
    [summedVectors('q*p_j', { q: 2 }), summedVectors('dot(q_i, q_j)', {})],
    [2 * 4 + 5 * 7 + 6 * 8, 2 * 3 + 5 * 7 + 6 * 8],
    { p: [3, 4], q: [5, 6, 7, 8] },
  ],
])('a sum of terms of vectors keeps the parameters of each: %#', async (laws, expected, more = {}) => {
  await using engine = await referenceEngine()
  const { value } = await engine.run(sum(sumOf(...laws)), { x: [1, 2, 3, 4], q: [5, 6], count: 2, ...more })
  expect([...value]).toEqual(expected)
})

it('a sum of symmetric laws is symmetric, and a sum with one that is not is not', () => {
  expect(sumOf(gravity(), lennardJones()).symmetric).toBe(true)
  expect(sumOf(gravity(), pairForce('mass_j')()).symmetric).toBe(false)
})

it('parameters keep their names, minima and values; those of later laws get numbers', () => {
  const law = sumOf(gravity({ G: 2 }), coulomb({ k: 0.5 }), yukawa(), gravity())
  expect(law).toMatchObject({ inertia: 'mass', kind: 'potential', name: 'gravity + coulomb + yukawa + gravity' })
  expect(law.parameters).toMatchObject({ G: 2, softening: 0, k: 0.5, k2: 1, G2: 1, softening2: 0 })
  expect(law.minimum).toEqual({ softening: 0, kappa: 0, softening2: 0 })
  const taken = sumOf(...['k', 'k', 'k2'].map((k) => pairPotential(`${k}*r`, { parameters: { [k]: 3 } })({ [k]: 4 })))
  expect(Object.keys(taken.parameters)).toEqual(['k', 'k3', 'k2'])
})

it('survives JSON', async () => {
  await using engine = await referenceEngine()
  const law = sumOf(gravity(), coulomb())
  const { acceleration } = await engine.run(accelerations(law), particles)
  const copied = JSON.parse(JSON.stringify(law)) as Interaction
  expect((await engine.run(accelerations(copied), particles)).acceleration).toEqual(acceleration)
})

it.each<[name: string, laws: readonly unknown[], message: string]>([
  ['nothing', [], '"laws" expected at least one interaction, such as gravity(), got none'],
  [
    'a law that was not called',
    [gravity(), coulomb],
    '"laws[1]" expected an interaction, such as gravity(), got a law that was not called',
  ],
  [
    'a term and a potential',
    [biotSavart(), gravity()],
    '"laws" expected terms only, or no term, got biot-savart, a term; gravity, a potential',
  ],
  [
    'two masses',
    [gravity(), push(), pairForce('1', { inertia: 'weight' })()],
    '"laws" expected the same inertia in all, got mass and weight',
  ],
  [
    'radial and other forces',
    [push(), pairForce({ x: '1', y: '0' })()],
    '"laws" expected expressions of the same components, radial, got x, y',
  ],
  [
    'a force and a potential with a direction',
    [push(), pairPotential('dx^2', { name: 'tide' })()],
    '"laws" expected potentials of the distance alone beside forces, got tide',
  ],
])('rejects %s', (_, laws, message) => {
  expect(() => sumOf(...(laws as Interaction[]))).toThrow(message)
})
