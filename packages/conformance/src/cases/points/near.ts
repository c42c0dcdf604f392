/**
 * Points within a cutoff, in sets that are hard to sort by place: in one place, on a line, in a cluster within a cloud, across the faces of
 * a box, and moved since the last run.
 *
 * A device may skip points that are too far apart; it must skip no others.
 *
 * @module
 */
import {
  countWithin,
  type DomainOptions,
  nearest,
  type PairWorkload,
  type ParticleSet,
  pairTerm,
  periodic,
  reduce,
  sum,
} from '@manybody/core'
import type { Case } from '../../case.ts'
import { cloud, lattice } from '../../points.ts'
import { randomOf } from '../../random.ts'

const count = 300
const cutoff = 0.4375

const bump = pairTerm('weight_i*weight_j*exp(-r2)', { name: 'bump' })()
const distance = pairTerm('r2', { name: 'squared distance' })()

const folds: Readonly<Record<string, (domain: DomainOptions) => PairWorkload>> = {
  counts: ({ cutoff: radius = 0, ...domain }) => countWithin(radius, domain),
  'sum of a bump': (domain) => sum(bump, domain),
  'nearest 4': (domain) => nearest(4, domain),
  'farthest within': (domain) => reduce('argmax', distance, domain),
}

export function nearCases(): readonly Case[] {
  return [...everyShape(), ...exactCounts(), moved()]
}

const weighted = (position: Float64Array, dimension: 2 | 3 = 3): ParticleSet => {
  const points = position.length / dimension
  return { dimension, position, weight: randomOf(1001).array(points, 0.5, 2) }
}

/** A cloud of side 2 and, within it, a cluster of a sixteenth of its size. */
function clustered(): Float64Array {
  const loose = cloud({ count: count / 2, seed: 1002, avoid: [cutoff] })
  const dense = cloud({ count: count / 2, seed: 1003, side: 1 / 8, avoid: [cutoff], against: loose })
  return Float64Array.from([...loose, ...dense])
}

function everyShape(): readonly Case[] {
  const lengths = [2, 2.5, 3]
  const boundary = periodic(lengths)
  const inBox = { count, seed: 1004, side: 4, box: lengths, avoid: [cutoff] }
  const plane = { count, dimension: 2, seed: 1005, avoid: [cutoff] } as const
  const sets: Readonly<Record<string, readonly [Case['particles'], DomainOptions]>> = {
    'a cluster within a cloud': [weighted(clustered()), {}],
    'points of several boxes': [weighted(cloud(inBox)), { boundary }],
    'a plane': [weighted(cloud(plane), 2), {}],
    'two sets': [
      {
        targets: weighted(cloud({ count: 131, seed: 1006, side: 1, avoid: [cutoff], against: clustered() })),
        sources: weighted(clustered()),
      },
      {},
    ],
  }
  return Object.entries(sets).flatMap(([name, [particles, domain]]) =>
    Object.entries(folds).map(([fold, workload]) => ({
      name: `near: ${fold} in ${name}`,
      workload: workload({ ...domain, cutoff }),
      particles,
    })),
  )
}

/** Counts that are known without a reference. */
function exactCounts(): readonly Case[] {
  const alike = (of: number, value: number) => ({ count: new Float64Array(of).fill(value) })
  const line = Float64Array.from({ length: 3 * count }, (_, n) => (n % 3 === 1 ? Math.floor(n / 3) / 4 : 1))
  const ends = Array.from({ length: count }, (_, n) => Math.min(n, 2) + Math.min(count - 1 - n, 2))
  const cells = lattice([8, 8, 8], 0.5)
  return [
    {
      name: 'near: counts of one point',
      workload: countWithin(cutoff),
      particles: { position: Float64Array.of(1, 2, 3) },
      exact: alike(1, 0),
    },
    {
      name: 'near: counts of all points in one place',
      workload: countWithin(cutoff),
      particles: { position: new Float64Array(3 * count).fill(0.75) },
      exact: alike(count, count - 1),
    },
    {
      name: 'near: counts on a line',
      workload: countWithin(0.5),
      particles: { position: line },
      exact: { count: ends },
    },
    {
      // Six neighbours at exactly the radius, also across the faces of the box.
      name: 'near: counts on a lattice at a distance that repeats',
      workload: countWithin(0.5, { boundary: periodic([4, 4, 4]) }),
      particles: { position: cells },
      exact: alike(512, 6),
    },
    {
      // If points are half a box apart, both images are within the cutoff, and one counts. 515 points of a lattice lie in that ball. Six of
      // them lie on its axes, and each of these is met from both sides.
      name: 'near: counts within half a box',
      workload: countWithin(2, { boundary: periodic([4, 4, 4]) }),
      particles: { position: cells },
      exact: alike(512, withinHalf()),
    },
  ]
}

/** Counts the other points of the lattice of 8 x 8 x 8 that have their nearest image at most four steps away. */
function withinHalf(): number {
  const steps = [-3, -2, -1, 0, 1, 2, 3, 4]
  const squares = steps.flatMap((x) => steps.flatMap((y) => steps.map((z) => x * x + y * y + z * z)))
  return squares.filter((r2) => r2 > 0 && r2 <= 16).length
}

/** One program. Its points move a little, and then to other places altogether. */
function moved(): Case {
  const workload = countWithin(cutoff)
  const run = (seed: number) => ({
    workload,
    particles: { position: cloud({ count, seed, avoid: [cutoff] }) },
  })
  const first = run(1007)
  const position = first.particles.position.map((x, n) => x + ((n % 5) - 2) / 64)
  return {
    name: 'near: counts of points that moved',
    ...first,
    again: [{ workload: countWithin(0.375), particles: { position: awayFrom(position, 0.375) } }, run(1008), first],
  }
}

/** Moves each point at a distance close to the radius from an earlier one. It goes to the place of the first point. */
function awayFrom(position: Float64Array, radius: number): Float64Array {
  const kept = position.slice()
  for (let p = 0; p < kept.length; p += 3)
    for (let q = 0; q < p; q += 3) {
      const r = Math.hypot(...[0, 1, 2].map((axis) => (kept[p + axis] as number) - (kept[q + axis] as number)))
      if (Math.abs(r - radius) < 1e-4) kept.copyWithin(p, 0, 3)
    }
  return kept
}
