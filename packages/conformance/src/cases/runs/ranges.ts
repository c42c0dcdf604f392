/**
 * Runs in parts: source ranges in turn, each continuing the previous results, and target ranges alone.
 *
 * @module
 */
import {
  accelerations,
  biotSavart,
  countWithin,
  gravity,
  nearest,
  type PairWorkload,
  type ParticleSet,
  pairTerm,
  potentials,
  type Range,
  sum,
} from '@manybody/core'
import { reduceOperations } from '@manybody/core/judge'
import type { Case, RangeParts } from '../../case.ts'
import { cloud, lattice } from '../../points.ts'
import { randomOf } from '../../random.ts'
import { reduction } from '../folds/reductions.ts'

const count = 150

/** Uneven parts: a single source, an empty one, parts that end inside tiles, and parts longer than one. */
const sources: readonly Range[] = [
  [0, 1],
  [1, 64],
  [64, 64],
  [64, 75],
  [75, 150],
]
const targets: readonly Range[] = [
  [0, 65],
  [65, 66],
  [66, 66],
  [66, 150],
]

const ways: Readonly<Record<string, RangeParts>> = {
  'sources in turn': { sources },
  'targets in turn': { targets },
  'both in turn': { sources, targets },
}

const weighted = pairTerm('weight_j*r2', { name: 'weighted distance' })()

export function rangeCases(): readonly Case[] {
  const random = randomOf(801)
  const particles: ParticleSet = {
    position: cloud({ count, seed: 802, side: 3, apart: 0.02, avoid: [0.75] }),
    ...Object.fromEntries(['mass', 'weight', 'wx', 'wy', 'wz'].map((name) => [name, random.array(count, 0.5, 2)])),
  }
  const chain = Array.from({ length: count - 1 }, (_, i) => [i, i + 1] as const)
  const workloads: Readonly<Record<string, PairWorkload>> = {
    accelerations: accelerations(gravity({ softening: 0.05 })),
    'potentials with exclusions': potentials(gravity(), { exclusions: chain }),
    'sums of vectors': sum(biotSavart({ softening: 0.1 })),
    'counts within a radius': countWithin(0.75),
    'nearest 4': nearest(4),
    'nearest 4 within a cutoff': nearest(4, { cutoff: 0.75 }),
    ...Object.fromEntries(reduceOperations.map((operation) => [operation, reduction(operation, weighted)])),
  }
  return [
    ...Object.entries(workloads).flatMap(([name, workload]) =>
      Object.entries(ways).map(([way, parts]) => ({ name: `ranges: ${name}, ${way}`, workload, particles, parts })),
    ),
    ...ties(),
    {
      name: 'ranges: a part of two sets',
      workload: accelerations(gravity({ softening: 0.05 })),
      particles: { targets: particles, sources: { ...particles, position: cloud({ count, seed: 803, side: 3 }) } },
      parts: { sources, targets },
    },
  ]
}

/** Equal terms in different ranges: the first range wins. */
function ties(): readonly Case[] {
  const particles = { position: lattice([5, 5, 6]) }
  const squared = pairTerm('r2', { name: 'squared distance' })()
  return [
    { name: 'ranges: ties of nearest', workload: nearest(6), particles, parts: { sources } },
    { name: 'ranges: ties of argmin', workload: reduction('argmin', squared), particles, parts: { sources } },
    { name: 'ranges: ties of argmax', workload: reduction('argmax', squared), particles, parts: { sources } },
  ]
}
