/**
 * Ranges of sources that the caller gives to blocks of targets: the only pairs that count. A device that reads no ranges runs
 * them one by one, as an engine does.
 *
 * @module
 */
import {
  accelerations,
  biotSavart,
  countWithin,
  gravity,
  matrix,
  nearest,
  neighborsWithin,
  type PairWorkload,
  type ParticleSet,
  pairTerm,
  periodic,
  potentials,
  sum,
} from '@manybody/core'
import { type BlockRanges, reduceOperations } from '@manybody/core/judge'
import type { Case } from '../../case.ts'
import { cloud, lattice } from '../../points.ts'
import { randomOf } from '../../random.ts'
import { reduction } from '../folds/reductions.ts'

const count = 150

/** A block of one target, one that ends inside a tile, and an empty one; the ranges of each block, with two that touch. */
const blocks: readonly (readonly [target: number, ...ranges: (readonly [number, number])[]])[] = [
  [0, [0, 150]],
  [1, [70, 149], [3, 4], [5, 5], [10, 70]],
  [65, [0, 66]],
  [66],
  [66],
  [70, [66, 67], [68, 69], [70, 71], [72, 73], [149, 150]],
]
let before = 0
const ranges: BlockRanges = {
  targets: [...blocks.map(([target]) => target), count],
  offsets: [0, ...blocks.map(([, ...own]) => (before += own.length))],
  sources: Uint32Array.from(blocks.flatMap(([, ...own]) => own.flat())),
}

/** How many sources each target meets, itself included. */
const met = Float64Array.from({ length: count }, (_, i) => (i < 1 ? 150 : i < 65 ? 140 : i < 66 ? 66 : i < 70 ? 0 : 5))

const weighted = pairTerm('weight_j*r2', { name: 'weighted distance' })()
const one = pairTerm('1', { name: 'one' })()

export function givenRangeCases(): readonly Case[] {
  const random = randomOf(811)
  const particles: ParticleSet = {
    position: cloud({ count, seed: 812, side: 3, apart: 0.02, avoid: [0.75] }),
    ...Object.fromEntries(['mass', 'weight', 'wx', 'wy', 'wz'].map((name) => [name, random.array(count, 0.5, 2)])),
  }
  const two = { targets: particles, sources: { ...particles, position: cloud({ count, seed: 813, side: 3 }) } }
  const chain = Array.from({ length: count - 1 }, (_, i) => [i, i + 1] as const)
  const workloads: Readonly<Record<string, PairWorkload>> = {
    accelerations: accelerations(gravity({ softening: 0.05 })),
    'a cutoff in a periodic box': potentials(gravity(), { cutoff: 0.75, boundary: periodic([3, 3, 3]) }),
    'potentials with exclusions': potentials(gravity(), { exclusions: chain }),
    'sums of vectors': sum(biotSavart({ softening: 0.1 })),
    'counts within a radius': countWithin(0.75),
    'nearest 4': nearest(4),
    matrix: matrix(weighted),
    'matrix with exclusions': matrix(weighted, { exclusions: chain }),
    ...Object.fromEntries(reduceOperations.map((operation) => [operation, reduction(operation, weighted)])),
  }
  const all = { particles, ranges }
  const parts = {
    targets: [
      [0, 60],
      [60, 68],
      [68, 150],
    ],
    sources: [
      [0, 69],
      [69, 69],
      [69, 150],
    ],
  } as const
  const same: BlockRanges = { targets: [0, count], offsets: [0, 1], sources: [0, count] }
  return [
    {
      name: 'given ranges: sum of 1',
      workload: sum(one, { self: 'include' }),
      ...all,
      exact: { value: met },
      again: [
        // Ranges belong to a run, not to a program.
        {
          ...{ workload: sum(one, { self: 'include' }), particles, ranges: same },
          exact: { value: met.map(() => count) },
        },
      ],
    },
    ...Object.entries(workloads).map(([name, workload]) => ({ name: `given ranges: ${name}`, workload, ...all })),
    { name: 'lists: given ranges', workload: neighborsWithin(0.75), ...all },
    { name: 'given ranges: two sets', workload: accelerations(gravity({ softening: 0.05 })), particles: two, ranges },
    {
      name: 'given ranges: ties of argmin',
      workload: reduction('argmin', pairTerm('r2', { name: 'squared distance' })()),
      particles: { position: lattice([5, 5, 6]) },
      ranges,
    },
    {
      name: 'given ranges: counts, targets in turn',
      workload: countWithin(0.75),
      ...all,
      parts: { targets: parts.targets },
    },
    { name: 'given ranges: both in turn', workload: accelerations(gravity({ softening: 0.05 })), ...all, parts },
    { name: 'given ranges: a matrix, both in turn', workload: matrix(weighted), ...all, parts },
  ]
}
