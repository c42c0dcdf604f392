/**
 * Points in the plane.
 *
 * @module
 */
import {
  accelerations,
  coulomb,
  countWithin,
  forces,
  gravity,
  lennardJones,
  nearest,
  type PairWorkload,
  type ParticleSet,
  pairForce,
  pairTerm,
  periodic,
  potentials,
  sum,
} from '@manybody/core'
import type { Case } from '../../case.ts'
import { liquid } from '../../points.ts'
import { randomOf } from '../../random.ts'

const count = 129
const cells = [12, 11]
const spacing = 1.1
const lengths = cells.map((n) => n * spacing)

/** A point vortex in the plane: the velocity is perpendicular to the displacement. */
const vortex = pairForce({ x: 'charge_j*dy/(r2 + 0.25)', y: '-charge_j*dx/(r2 + 0.25)' }, { name: 'vortex' })()
const torque = pairTerm('dx*charge_j - dy*charge_i', { name: 'torque' })()

export function planarCases(): readonly Case[] {
  const random = randomOf(901)
  const particles: ParticleSet = {
    dimension: 2,
    position: liquid(cells, spacing, { count, seed: 902, box: lengths, avoid: [2.25] }),
    mass: random.array(count, 0.5, 2),
    charge: random.array(count, -2, 2),
    sigma: random.array(count, 0.8, 1.2),
    epsilon: random.array(count, 0.1, 2),
  }
  const boundary = periodic(lengths)
  const workloads: Readonly<Record<string, PairWorkload>> = {
    'accelerations of gravity': accelerations(gravity({ softening: 0.1 })),
    'potentials of coulomb': potentials(coulomb()),
    'forces of lennard-jones': forces(lennardJones()),
    'forces in a periodic box, switched': forces(coulomb(), { boundary, cutoff: 2.25, switchDistance: 1 }),
    'a force by components': forces(vortex),
    'a directed term': sum(torque),
    'nearest 3': nearest(3),
    'counts in a periodic box': countWithin(2.25, { boundary }),
  }
  return Object.entries(workloads).map(([name, workload]) => ({
    name: `planar: ${name}`,
    workload,
    particles,
    ...(name.includes('lennard') ? { steep: true as const } : {}),
  }))
}
