/**
 * Exact gates: results that are whole numbers, at the sizes around tile edges. One dropped or doubled pair changes them.
 *
 * @module
 */
import {
  coulomb,
  countWithin,
  forces,
  gravity,
  lennardJones,
  type PairWorkload,
  type Particles,
  pairTerm,
  potentials,
  sum,
} from '@manybody/core'
import type { Case } from '../../case.ts'
import { cloud, liquid } from '../../points.ts'
import { randomOf } from '../../random.ts'

const one = pairTerm('1', { name: 'one' })()

/** Sizes just below, at and above the sizes of tiles, workgroups and vectors. */
const edges = [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257] as const
const farEdges = [511, 512, 513, 1023, 1024, 1025] as const

export function gateCases(): readonly Case[] {
  return [...oneSet(), ...twoSets(), ...balanced(), permuted()]
}

/** Each of N points meets the N - 1 others. */
function oneSet(): readonly Case[] {
  return edges.flatMap((count) => {
    const particles = { position: cloud({ count, seed: count }) }
    return [
      ...whole(`${count} points`, particles, count, count - 1),
      {
        name: `gates: sum of 1 with self, ${count} points`,
        workload: sum(one, { self: 'include' }),
        particles,
        exact: { value: filled(count, count) },
      },
    ]
  })
}

/** Each target meets every source, also the one with its own index. */
function twoSets(): readonly Case[] {
  return farEdges.flatMap((far) => [
    ...pairOf(far, 5).flatMap(([name, particles]) => whole(name, particles, far, 5)),
    ...pairOf(5, far).flatMap(([name, particles]) => whole(name, particles, 5, far)),
  ])
}

function pairOf(targets: number, sources: number): readonly [string, Particles][] {
  const particles = {
    targets: { position: cloud({ count: targets, seed: targets }) },
    sources: { position: cloud({ count: sources, seed: sources }) },
  }
  return [[`${targets} targets, ${sources} sources`, particles]]
}

function whole(name: string, particles: Particles, targets: number, expected: number): readonly Case[] {
  const workloads: Readonly<Record<string, PairWorkload>> = {
    'sum of 1': sum(one),
    'count of all': countWithin(Number.POSITIVE_INFINITY),
  }
  return Object.entries(workloads).map(([what, workload]) => ({
    name: `gates: ${what}, ${name}`,
    workload,
    particles,
    exact: { [workload.results[0] as string]: filled(targets, expected) },
  }))
}

const filled = (length: number, value: number): Float64Array => new Float64Array(length).fill(value)

/** Reciprocal forces cancel over all points. */
function balanced(): readonly Case[] {
  const count = 129
  const random = randomOf(31)
  const particles = {
    position: liquid([5, 5, 6], 1.1, { count, seed: 32 }),
    mass: random.array(count, 0.5, 2),
    charge: random.array(count, -2, 2),
    sigma: random.array(count, 0.9, 1.1),
    epsilon: random.array(count, 0.5, 2),
  }
  const laws = [gravity({ softening: 0.1 }), coulomb(), lennardJones()]
  return laws.map((law) => ({
    name: `gates: forces of ${law.name} add up to zero`,
    workload: forces(law),
    particles,
    balanced: true,
    ...(law.name === 'lennard-jones' ? { steep: true as const } : {}),
  }))
}

/** The order of sources changes nothing. */
function permuted(): Case {
  const [targetCount, count] = [33, 300]
  const targets = { position: cloud({ count: targetCount, seed: 41 }), mass: filled(targetCount, 1) }
  const position = cloud({ count, seed: 42, against: targets.position, apart: 0.02 })
  const mass = randomOf(43).array(count, -1, 3)
  // 77 and 300 have no common factor, so this visits every source once.
  const order = Array.from({ length: count }, (_, j) => (77 * j + 13) % count)
  const workload = potentials(gravity())
  return {
    name: 'gates: a permutation of sources changes nothing',
    workload,
    particles: { targets, sources: { position, mass } },
    again: [
      {
        workload,
        particles: {
          targets,
          sources: {
            position: Float64Array.from(order.flatMap((j) => [...position.subarray(3 * j, 3 * j + 3)])),
            mass: Float64Array.from(order, (j) => mass[j] as number),
          },
        },
      },
    ],
    agreeing: true,
  }
}
