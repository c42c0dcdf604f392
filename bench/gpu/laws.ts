// The workloads that are timed, with the points they are timed on. Sizes in units that keep float32 honest.

import {
  accelerations,
  coulomb,
  forces,
  gravity,
  lennardJones,
  matrix,
  nearest,
  type PairWorkload,
  pairPotential,
  pairTerm,
  periodic,
  reduce,
} from '@manybody/core'
import type { Points } from './measure.ts'

export interface Case {
  readonly name: string
  readonly workload: (n: number) => PairWorkload
  readonly points: (n: number) => Points
  /** Largest number of points that it is timed for. */
  readonly most: number
  /** Whether it is timed in many plans, and beside CUDA. */
  readonly tuned?: true
  /** Whether it is timed within the limits that every device has, too. */
  readonly limited?: true
}

/** From here on, evaluations take so long that only one law is timed. */
const many = 262144
/** Beyond this, the results of a matrix fill a buffer. */
const wide = 16384

const softening = 0.05

/** The law of gravity as a user would type it. */
const typed = pairPotential('-strength*m_i*m_j/sqrt(r2 + soft^2)', {
  name: 'typed by a user',
  inertia: 'm',
  parameters: { strength: 1, soft: softening },
})

/** Edge of a box in which n Lennard-Jones particles have the density of a liquid. */
const boxOf = (n: number) => Math.cbrt(n / 0.8)

const massive = { workload: () => accelerations(gravity({ softening })), points: (n: number) => cube(n, 1, ['mass']) }

const bare = { points: (n: number) => cube(n, 1, []), most: many, limited: true } as const

export const cases: readonly Case[] = [
  { name: 'gravity', ...massive, most: Infinity, tuned: true, limited: true },
  { name: 'typed', workload: () => accelerations(typed()), points: (n) => cube(n, 1, ['m']), most: many },
  {
    name: 'coulomb',
    workload: () => forces(coulomb()),
    points: (n) => cube(n, 1, ['charge']),
    most: many,
    tuned: true,
  },
  {
    name: 'lennard-jones',
    workload: (n) => {
      const box = boxOf(n)
      return forces(lennardJones(), { cutoff: 2.5, boundary: periodic([box, box, box]) })
    },
    points: (n) => cube(n, boxOf(n), ['sigma', 'epsilon'], 1),
    most: many,
    tuned: true,
  },
  { name: 'stepping', ...massive, most: wide },
  { name: 'nearest(8)', workload: () => nearest(8), ...bare },
  { name: 'argmin', workload: () => reduce('argmin', pairTerm('r2')()), ...bare },
  { name: 'matrix', workload: () => matrix(coulomb()), points: (n) => cube(n, 1, ['charge']), most: wide },
]

/** Points of a cube, the same in every run; attributes are `value`, or lie between 0.5 and 1.5. */
function cube(n: number, edge: number, attributes: readonly string[], value?: number): Points {
  const random = generator(n)
  const position = Float32Array.from({ length: 3 * n }, () => edge * random())
  const others = attributes.map((name) => [name, Float32Array.from({ length: n }, () => value ?? 0.5 + random())])
  return { position, ...Object.fromEntries(others) }
}

/** Numbers between 0 and 1: a 32-bit xorshift generator (G. Marsaglia, J. Stat. Softw. 8 (2003) 14). */
function generator(seed: number): () => number {
  let state = (seed ^ 0x9e3779b9) >>> 0 || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state / 2 ** 32
  }
}
