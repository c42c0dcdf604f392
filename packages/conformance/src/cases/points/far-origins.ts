/**
 * Clouds far from the origin, in float64, at 1e3 to 1e7 times their extent. Rounding coordinates to float32 would leave little
 * or nothing of the displacements.
 *
 * Coordinates have few bits, so that core can convert them for a float32 device without loss.
 *
 * @module
 */
import {
  accelerations,
  countWithin,
  gravity,
  map,
  matrix,
  nearest,
  type PairWorkload,
  type ParticleSet,
  pairTerm,
  periodic,
  potentials,
  reduce,
} from '@manybody/core'
import type { Case } from '../../case.ts'
import { cloud } from '../../points.ts'
import { randomOf } from '../../random.ts'

const count = 67
const far = [1e3, 1e5, 1e7]

/** A spacing that adds exactly to coordinates of size `far`, where only float64 can tell neighbours apart. */
const grain = 2 ** -20
const grained = (positions: Float64Array) => positions.map((x) => grain * Math.round(x / grain))

/** Along the first axis, against the second, and not at all along the third. Each axis has its own centre. */
const directions = [1, -0.75, 0]
const moved = (positions: Float64Array, by: number, dimension = 3) =>
  positions.map((x, n) => x + by * (directions[n % dimension] as number))

const pull = accelerations(gravity({ softening: 0.05 }))
const squared = pairTerm('r2', { name: 'squared distance' })()

export function farOriginCases(): readonly Case[] {
  const mass = randomOf(1301).array(count, 0.5, 2)
  const side = 1
  const space = grained(cloud({ count, seed: 1302, side, apart: 0.1, avoid: [0.375] }))
  const others = grained(cloud({ count: 33, seed: 1303, side, apart: 0.1, against: space }))
  const lengths = [1.25, 1.25, 1.25]
  const crystal = grained(cloud({ count, seed: 1304, side: 1.25, apart: 0.1, box: lengths }))
  const plane = grained(cloud({ count, seed: 1305, dimension: 2, side, apart: 0.03 }))

  const workloads: Readonly<Record<string, PairWorkload>> = {
    gravity: pull,
    potentials: potentials(gravity()),
    'nearest 4': nearest(4),
    'counts within a radius': countWithin(0.375),
    'the nearest source': reduce('argmin', squared),
    'a matrix of distances': matrix(squared),
  }
  const at = (by: number): readonly (Omit<Case, 'name' | 'asGiven'> & { readonly what: string })[] => {
    const particles: ParticleSet = { position: moved(space, by), mass }
    const sources = { position: moved(others, by), mass: mass.subarray(0, 33) }
    return [
      ...Object.entries(workloads).map(([what, workload]) => ({ what, workload, particles })),
      { what: 'separate targets', workload: pull, particles: { targets: particles, sources } },
      {
        what: 'a periodic box',
        workload: accelerations(gravity({ softening: 0.05 }), { boundary: periodic(lengths) }),
        particles: { position: moved(crystal, by), mass },
      },
      { what: 'in the plane', workload: pull, particles: { dimension: 2, position: moved(plane, by, 2), mass } },
    ]
  }
  return [
    ...far.flatMap((by) =>
      at(by).map(({ what, ...one }) => ({
        name: `far origins: ${what}, ${by} extents away`,
        asGiven: true as const,
        ...one,
      })),
    ),
    ...clusters(mass),
    ...outlier(),
    ...absolute(),
  ]
}

/** Two clusters on both sides of 0. No centre is near both, so each coordinate needs two floats. */
function clusters(mass: Float64Array): readonly Case[] {
  const side = 1
  const [cell, plane] = ([3, 2] as const).map((dimension) =>
    grained(cloud({ count, seed: 1310 + dimension, dimension, side, apart: 0.05, avoid: [0.375] })),
  ) as [Float64Array, Float64Array]
  const others = grained(cloud({ count: 33, seed: 1314, side, apart: 0.05, against: cell }))
  return far.flatMap((by) => {
    // Every other point belongs to the second cluster. In the box, the faces cut both clusters.
    const apart = (positions: Float64Array, dimension = 3) =>
      positions.map(
        (x, n) => x + (Math.floor(n / dimension) % 2 ? 0.5 : -0.5) * by * (directions[n % dimension] as number),
      )
    const particles = { position: apart(cell), mass }
    const box = { boundary: periodic([by, 0.75 * by, 8 * side]) }
    const sources = { position: apart(others), mass: mass.subarray(0, 33) }
    const cases: Readonly<Record<string, Pick<Case, 'workload' | 'particles'>>> = {
      'gravity of': { workload: pull, particles },
      'potentials with a cutoff of': { workload: potentials(gravity(), { cutoff: 0.375 }), particles },
      'nearest 4 of': { workload: nearest(4, { cutoff: 2 }), particles },
      'separate targets of': { workload: pull, particles: { targets: particles, sources } },
      'a periodic box cut by': { workload: accelerations(gravity({ softening: 0.05 }), box), particles },
      'in the plane,': { workload: pull, particles: { dimension: 2, position: apart(plane, 2), mass } },
    }
    return Object.entries(cases).map(([what, one]) => ({
      name: `far origins: ${what} two clusters, ${by} extents apart`,
      asGiven: true as const,
      ...one,
    }))
  })
}

/** With points on both sides of 0, the centre is 0. Points near 0 must keep their digits. */
function outlier(): readonly Case[] {
  const particles = {
    position: Float64Array.of(1000, 0, 0, 1e-5, 0, 0, 3e-5, 0, 0, 2, 2, 0),
    mass: Float64Array.of(1, 1, 1, 1),
  }
  return [
    { name: 'far origins: the nearest source beside a point far away', workload: nearest(1), particles, asGiven: true },
    {
      name: 'far origins: gravity beside a point far away',
      workload: accelerations(gravity()),
      particles,
      asGiven: true,
    },
  ]
}

/** Maps read absolute positions, not displacements. */
function absolute(): readonly Case[] {
  const particles = { position: Float64Array.of(1e6, 2e6, 3e6, 1e6 + 1, 2e6 + 2, 3e6 + 3) }
  return [{ name: 'far origins: a map of positions', workload: map({ same: 'position' }), particles, asGiven: true }]
}
