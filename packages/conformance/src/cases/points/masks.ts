/**
 * Masked pairs with infinite or NaN terms. They may not affect the result in any way.
 *
 * @module
 */
import {
  forces,
  type PairWorkload,
  type ParticleSet,
  pairForce,
  pairPotential,
  pairTerm,
  periodic,
  potentials,
  reduce,
  sum,
} from '@manybody/core'
import type { Case } from '../../case.ts'

const set = (
  position: readonly number[],
  attributes: Readonly<Record<string, readonly number[]>> = {},
): ParticleSet => ({
  position: Float64Array.from(position),
  ...Object.fromEntries(Object.entries(attributes).map(([name, values]) => [name, Float64Array.from(values)])),
})

const one = [0.25, 0.5, 0.75]
/** The first two have the same y and are more than 1 apart. The third is more than 1 away from both. */
const three = [0, 0, 0, 1.5, 0, 0, 0.5, 2, 1]
const excluded = { exclusions: [[0, 1]] as const }

const entries: readonly (readonly [name: string, workload: PairWorkload, particles: ParticleSet])[] = [
  [
    'a point by itself whose inverse charge is infinite',
    forces(pairPotential('(1/q_i + 0.5*r)^3')()),
    set(one, { q: [0] }),
  ],
  [
    'a point by itself whose coefficient is infinite',
    forces(pairPotential('(1/(q_i - 2) + r2)^2')()),
    set(one, { q: [2] }),
  ],
  [
    'a point by itself whose factor of the sum is infinite',
    forces(pairPotential('r2/(q_i - 2)')()),
    set(one, { q: [2] }),
  ],
  ['sums of no terms with an infinite factor', sum(pairTerm('q_j/q_i')()), set(one, { q: [0] })],
  [
    'inverse charges of points out of reach',
    forces(pairPotential('(1/q_i + 0.5*r)^3')(), { cutoff: 1 }),
    set(three, { q: [0, 0, 0] }),
  ],
  ['a law singular where it is made safe', forces(pairPotential('1/((r2 - 1)*r)')()), set(three)],
  [
    'a law singular where it is made safe, by a parameter',
    forces(pairPotential('1/((r2 - d^2)*r)', { parameters: { d: 1 } })()),
    set(three),
  ],
  ['equal x, out of reach', forces(pairForce('0.25*dx^(-2)')(), { cutoff: 1 }), set([0, 0, 0, 0, 2, 0])],
  [
    'equal x, out of reach in a box',
    forces(pairForce('0.25*dx^(-2)')(), { cutoff: 1, boundary: periodic([6, 6, 6]) }),
    set([0, 0, 0, 0, 2, 0]),
  ],
  ['equal y, excluded', forces(pairForce('(dy^6)^(-3)')(), excluded), set(three)],
  ['components, equal y, excluded', sum(pairTerm({ u: '1/dy', v: 'log(dy^2)' })(), excluded), set(three)],
  [
    'potentials, equal y, excluded',
    potentials(pairPotential('q_i*q_j/dy^2')(), excluded),
    set(three, { q: [1, 2, 3] }),
  ],
  [
    'potentials, equal y, out of reach',
    potentials(pairPotential('1/dy^2')(), { cutoff: 1.2 }),
    set([...three, 0.1, 2.2, 1.2]),
  ],
  ['a maximum, equal y, excluded', reduce('max', pairTerm('1/dy^2')(), excluded), set(three)],
  ['an index of a maximum, equal y, excluded', reduce('argmax', pairTerm('1/dy^2')(), excluded), set(three)],
  ['a log-sum-exp, equal y, excluded', reduce('logsumexp', pairTerm('1/dy^2')(), excluded), set(three)],
]

export function maskCases(): readonly Case[] {
  return entries.map(([name, workload, particles]) => ({ name: `masks: ${name}`, workload, particles, steep: true }))
}
