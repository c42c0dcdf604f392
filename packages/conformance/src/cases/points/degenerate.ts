/**
 * Degenerate inputs: no points, one, two, points in the same place, weights of zero and below, and laws with terms of 0.
 *
 * @module
 */
import {
  accelerations,
  attributeSum,
  biotSavart,
  cellIndex,
  coulomb,
  countWithin,
  type DomainOptions,
  forces,
  gaussian,
  gravity,
  type Interaction,
  lennardJones,
  map,
  matrix,
  type PairWorkload,
  type ParticleSet,
  pairForce,
  pairPotential,
  periodic,
  potentials,
  sum,
  virial,
} from '@manybody/core'
import type { Case, RangeParts } from '../../case.ts'
import { cloud, liquid } from '../../points.ts'
import { randomOf } from '../../random.ts'
import { reduction } from '../folds/reductions.ts'

const attributes = ['mass', 'charge', 'weight', 'sigma', 'epsilon', 'p', 'wx', 'wy', 'wz'] as const

/** Points with every attribute of the built-in laws. */
function set(position: Float64Array, seed: number): ParticleSet {
  const random = randomOf(seed)
  const count = position.length / 3
  return { position, ...Object.fromEntries(attributes.map((name) => [name, random.array(count, 0.5, 1.5)])) }
}

export function degenerateCases(): readonly Case[] {
  return [...few(), ...emptySets(), ...zeros(), ...coincident(), ...weights()]
}

const everyLoop: Readonly<Record<string, PairWorkload>> = {
  accelerations: accelerations(gravity()),
  forces: forces(coulomb()),
  potentials: potentials(lennardJones()),
  'vector sums': sum(biotSavart()),
  counts: countWithin(Number.POSITIVE_INFINITY),
  minima: reduction('min', attributeSum()),
  'indices of maxima': reduction('argmax', attributeSum()),
  'log-sum-exps': reduction('logsumexp', attributeSum()),
  matrices: matrix(attributeSum()),
}

/** No point, one point that meets nothing, two that meet each other. */
function few(): readonly Case[] {
  return [0, 1, 2].flatMap((count) => {
    const particles = set(cloud({ count, seed: 1001, side: 2, apart: 0.8 }), 1002)
    const moved = { ...particles, velocity: randomOf(1003).array(3 * count, -1, 1) }
    return [
      ...Object.entries(everyLoop).map(([name, workload]) => ({
        name: `degenerate: ${name} of ${count} points`,
        workload,
        particles,
        steep: true as const,
      })),
      {
        name: `degenerate: map of ${count} points`,
        workload: map({ position: 'position + velocity' }),
        particles: moved,
      },
      {
        name: `degenerate: cells of ${count} points`,
        workload: cellIndex({ cells: [4, 4, 4], spacing: 0.5, origin: [-1, -1, -1] }),
        particles: { position: particles.position },
      },
    ]
  })
}

function emptySets(): readonly Case[] {
  const none = set(new Float64Array(0), 1011)
  const some = set(cloud({ count: 5, seed: 1012 }), 1013)
  return Object.entries(everyLoop).flatMap(([name, workload]) => [
    { name: `degenerate: ${name} without targets`, workload, particles: { targets: none, sources: some } },
    { name: `degenerate: ${name} without sources`, workload, particles: { targets: some, sources: none } },
  ])
}

/** Laws with terms of 0 for all pairs: forces of constant energies, and parts that cancel. */
function zeros(): readonly Case[] {
  const count = 131
  const position = cloud({ count, seed: 1041, side: 2, apart: 0.1, avoid: [1], box: [3, 3, 3] })
  const particles = { position, q: randomOf(1042).array(count, -1, 1), mass: randomOf(1043).array(count, 0.5, 1.5) }
  const nothing = new Float64Array(count)
  const nowhere = new Float64Array(3 * count)
  const inertia = 'mass'
  const laws: Readonly<Record<string, Interaction>> = {
    'a constant energy': pairPotential('2', { inertia })(),
    'an energy of both points': pairPotential('q_i*q_j', { inertia })(),
    'no force': pairForce('0', { inertia })(),
    'components without a force': pairForce({ x: '0', y: '0', z: '0' }, { inertia })(),
    'parts that cancel': pairForce('q_i/r - q_i*r/r2', { inertia })(),
  }
  const boundary = periodic([3, 3, 3])
  const domains: Readonly<Record<string, DomainOptions>> = {
    'all pairs': {},
    'a cutoff': { cutoff: 1 },
    'a cutoff in a box': { cutoff: 1, boundary },
    exclusions: { exclusions: [[0, 1]] },
    'points that meet themselves': { self: 'include' },
  }
  const parts: RangeParts = {
    targets: [
      [0, 65],
      [65, count],
    ],
    sources: [
      [0, 1],
      [1, count],
    ],
  }
  return Object.entries(laws)
    .flatMap(([name, law]) => [
      ...Object.entries(domains).flatMap(([where, domain]) => [
        { name: `forces of ${name}, ${where}`, workload: forces(law, domain), particles, exact: { force: nowhere } },
        {
          name: `accelerations of ${name}, ${where}`,
          workload: accelerations(law, domain),
          particles,
          exact: { acceleration: nowhere },
        },
        { name: `virials of ${name}, ${where}`, workload: virial(law, domain), particles, exact: { virial: nothing } },
      ]),
      { name: `forces of ${name}, in parts`, workload: forces(law), particles, parts, exact: { force: nowhere } },
      {
        name: `forces of ${name}, two sets`,
        workload: forces(law),
        particles: { targets: particles, sources: particles },
        exact: { force: nowhere },
      },
    ])
    .map((one) => ({ ...one, name: `degenerate: ${one.name}` }))
}

/** Pairs at zero distance: singular laws skip them, finite laws do not, and no result is NaN. */
function coincident(): readonly Case[] {
  const apart = liquid([3, 3, 5], 1.05, { count: 40, seed: 1021 })
  const twice = set(Float64Array.from([...apart, ...apart]), 1022)
  const together = set(new Float64Array(30).fill(0.25), 1023)
  const workloads: Readonly<Record<string, PairWorkload>> = {
    'accelerations of gravity': accelerations(gravity()),
    'accelerations of softened gravity': accelerations(gravity({ softening: 0.1 })),
    'potentials of gravity': potentials(gravity()),
    'potentials of softened gravity': potentials(gravity({ softening: 0.1 })),
    'forces of lennard-jones': forces(lennardJones()),
    'potentials of lennard-jones': potentials(lennardJones()),
    'potentials of gaussian': potentials(gaussian()),
    'sums of a vector law': sum(biotSavart()),
    'counts within a radius': countWithin(0.5),
    'counts of all': countWithin(Number.POSITIVE_INFINITY),
    'least potentials': reduction('min', gravity()),
  }
  return Object.entries(workloads).flatMap(([name, workload]) => [
    { name: `degenerate: ${name}, every point twice`, workload, particles: twice, steep: true as const },
    { name: `degenerate: ${name}, all points in one place`, workload, particles: together, steep: true as const },
  ])
}

function weights(): readonly Case[] {
  const count = 129
  const position = cloud({ count, seed: 1031, side: 4, apart: 0.1 })
  const zeros = new Float64Array(count)
  const some = zeros.map((_, n) => (n % 3) - 1)
  const negative = zeros.map((_, n) => -0.5 - (n % 7))
  return [
    {
      name: 'degenerate: all charges zero',
      workload: forces(coulomb()),
      particles: { position, charge: zeros },
      exact: { force: new Float64Array(3 * count) },
    },
    { name: 'degenerate: charges of -1, 0 and 1', workload: forces(coulomb()), particles: { position, charge: some } },
    { name: 'degenerate: massless forces', workload: forces(gravity()), particles: { position, mass: some } },
    {
      name: 'degenerate: negative masses',
      workload: accelerations(gravity()),
      particles: { position, mass: negative },
    },
    // The gravitational mass cancels the inertial mass, so a massless point still falls.
    { name: 'degenerate: some masses zero', workload: accelerations(gravity()), particles: { position, mass: some } },
  ]
}
