// Sums that a tree can approximate, one for each kind of weights, and the points that they read.

import {
  accelerations,
  attributeSum,
  biotSavart,
  coulomb,
  forces,
  gravity,
  type PairWorkload,
  pairPotential,
  pairTerm,
  potentials,
  sum,
} from '@manybody/core'
import { randomOf } from '../../src/random.ts'

export type Data = Readonly<Record<string, unknown>>

const numbers = (count: number, seed: number, least: number, most: number) =>
  Float32Array.from(randomOf(seed).array(count, least, most))

/** Numbers of both signs. */
export const signed = (count: number, seed: number): Float32Array => numbers(count, seed, -1, 1)
export const mass = (count: number): Float32Array => numbers(count, 7, 0.5, 1.5)
export const points = (count: number, dimension: 2 | 3 = 3): { position: Float32Array; dimension: 2 | 3 } => ({
  position: numbers(count * dimension, 3, 0, 1),
  dimension,
})

/** Pairs of neighbours in the order, of points that are far apart, and of one point with many exclusions. */
export const exclusions: readonly (readonly [target: number, source: number])[] = Array.from(
  { length: 40 },
  (_, n) =>
    [
      [n, (n + 1) % 40],
      [n, (7 * n + 200) % 250],
      [3, 6 * n],
    ] as const,
).flat()

export const weightedLaws: Readonly<Record<string, readonly [PairWorkload, (count: number) => Data]>> = {
  gravity: [accelerations(gravity()), (n) => ({ ...points(n), mass: mass(n) })],
  'itself, too': [sum(attributeSum(), { self: 'include' }), (n) => ({ ...points(n), p: signed(n, 2) })],
  'charges of both signs': [potentials(coulomb()), (n) => ({ ...points(n), charge: signed(n, 2) })],
  'three weights': [
    sum(biotSavart({ softening: 0.01 })),
    (n) => ({ ...points(n), wx: signed(n, 4), wy: signed(n, 5), wz: signed(n, 6) }),
  ],
  'two products': [
    sum(pairTerm('(p_i*q_j + q_i*p_j^2)/sqrt(r2 + 1e-4)')()),
    (n) => ({ ...points(n), p: signed(n, 4), q: signed(n, 5) }),
  ],
  '2-D': [forces(pairPotential('-mass_i*mass_j*log(r)')()), (n) => ({ ...points(n, 2), mass: mass(n) })],
  'excluded pairs': [accelerations(gravity(), { exclusions }), (n) => ({ ...points(n), mass: mass(n) })],
  'excluded pairs of charges': [potentials(coulomb(), { exclusions }), (n) => ({ ...points(n), charge: signed(n, 2) })],
  'excluded pairs in 2-D': [
    sum(pairTerm('p_j/(r2 + 1e-3)')(), { exclusions, self: 'include' }),
    (n) => ({ ...points(n, 2), p: signed(n, 4) }),
  ],
  'excluded pairs of two sets': [
    accelerations(gravity(), { exclusions }),
    (n) => ({
      targets: { position: numbers(120, 9, 0, 1), mass: mass(40) },
      sources: { position: numbers(3 * n, 3, 0, 1), mass: mass(n) },
    }),
  ],
}
