/**
 * Points on a line. Whole numbers have closed forms, and a larger set has enough points for loops that leave out far ones.
 *
 * @module
 */
import {
  accelerations,
  cellIndex,
  coulomb,
  countWithin,
  energy,
  forces,
  gradient,
  gravity,
  map,
  matrix,
  nearest,
  neighborsWithin,
  type PairWorkload,
  type ParticleSet,
  pairForce,
  pairPotential,
  pairTerm,
  periodic,
  potentials,
  reduce,
  stencil,
  sum,
  virial,
} from '@manybody/core'
import type { Case } from '../../case.ts'
import { liquid } from '../../points.ts'
import { randomOf } from '../../random.ts'

/** A motor that pushes each point away from charges on its left: not reciprocal. */
const motor = pairForce({ x: 'charge_j*select(dx < 0, 1, -0.5)/(1 + r2)' }, { name: 'motor' })()
const drift = pairTerm('dx*charge_j + abs(dx)*charge_i', { name: 'drift' })()
const soft = pairPotential('mass_i*mass_j*exp(-r2/4)', { name: 'soft', inertia: 'mass' })()

const spacing = 1.1
/** Places are multiples of it, so that float32 finds their differences exactly in a box as long as they need. */
const grain = 1 / 128
/** Between two multiples. */
const cutoff = 2.2525
/** An odd multiple: no pair is half a box apart. */
const boxOf = (count: number) => [grain * (2 * Math.ceil((count * spacing) / (2 * grain)) + 1)]

function sets(count: number, seed: number): ParticleSet {
  const random = randomOf(seed)
  const places = liquid([count], spacing, { count, seed })
  return {
    dimension: 1,
    position: places.map((_, n) => grain * Math.round((places[(997 * n) % count] as number) / grain)),
    mass: random.array(count, 0.5, 2),
    charge: random.array(count, -2, 2),
  }
}

export function lineCases(): readonly Case[] {
  return [...whole(), ...pairs(129, 911), ...pairs(1024, 912), ...elements()]
}

/** Points at whole numbers, in another order than along the line. */
function whole(): readonly Case[] {
  const count = 101
  const position = Float64Array.from({ length: count }, (_, n) => (37 * n) % count)
  const particles: ParticleSet = { dimension: 1, position }
  const exact = (value: (x: number) => number) => Float64Array.from(position, value)
  const others = (x: number) => count - 1 - x
  const within = (x: number) => Math.min(2, x) + Math.min(2, others(x))
  // Behind each near point stands a far one. As a second coordinate, it would part near points.
  const half = 512
  const turns = Float64Array.from({ length: 2 * half }, (_, n) => (n % 2 === 0 ? n / 2 : 5000 + 50 * (n - 1)))
  const total = (x: number) => (x * (x + 1) + others(x) * (others(x) + 1)) / 2
  return [
    { name: 'a sum of distances', workload: sum(pairTerm('r')()), particles, exact: { value: exact(total) } },
    {
      name: 'a sum of displacements',
      workload: sum(pairTerm('dx')()),
      particles,
      exact: { value: exact((x) => (others(x) * (others(x) + 1) - x * (x + 1)) / 2) },
    },
    { name: 'counts', workload: countWithin(2.5), particles, exact: { count: exact(within) } },
    {
      name: 'counts of near and far points in turns',
      workload: countWithin(2.5),
      particles: { dimension: 1, position: turns },
      exact: { count: turns.map((x) => (x < half ? Math.min(2, x) + Math.min(2, half - 1 - x) : 0)) },
    },
    {
      name: 'counts in a periodic box',
      workload: countWithin(2.5, { boundary: periodic([count]) }),
      particles,
      exact: { count: exact(() => 4) },
    },
    {
      name: 'a constant force',
      workload: forces(pairForce('1/r')()),
      particles,
      closedForm: { force: exact((x) => others(x) - x) },
    },
  ].map(({ name, ...rest }): Case => ({ name: `line: ${name}`, ...rest }))
}

function pairs(count: number, seed: number): readonly Case[] {
  const particles = sets(count, seed)
  const boundary = periodic(boxOf(count))
  const few = {
    'forces in a periodic box, switched': forces(soft, { boundary, cutoff, switchDistance: 1 }),
    'a matrix': matrix(pairTerm('exp(-r2)*dx')()),
  }
  const workloads: Readonly<Record<string, PairWorkload>> = {
    'accelerations of gravity': accelerations(gravity({ softening: 0.1 })),
    'potentials of coulomb': potentials(coulomb()),
    'potentials in a periodic box, switched': potentials(soft, { boundary, cutoff, switchDistance: 1 }),
    'the energy of soft points': energy(soft),
    'the virial of soft points': virial(soft),
    'a force by components': forces(motor),
    'a directed term': sum(drift),
    'nearest 3': nearest(3),
    'nearest 3 in a periodic box': nearest(3, { boundary }),
    'nearest 3 of a term': nearest(3, pairTerm('abs(dx - 0.3)')()),
    'minima of distances': reduce('argmin', pairTerm('r')()),
    'counts in a periodic box': countWithin(cutoff, { boundary }),
    'lists in a periodic box': neighborsWithin(cutoff, { boundary }),
    ...(count < 200 ? few : {}),
  }
  return Object.entries(workloads).map(([name, workload]) => ({
    name: `line: ${name}, ${count} points`,
    workload,
    particles,
    // The forces of the neighbours on both sides nearly cancel, and so few are there that one such point decides.
    ...(name.startsWith('forces in') && { steep: true as const }),
  }))
}

function elements(): readonly Case[] {
  const count = 130
  const random = randomOf(913)
  const particles = {
    ...{ dimension: 1, position: random.array(count, -3, 3), velocity: random.array(count, -1, 1) },
    mass: random.array(count, 0.5, 2),
  } as const
  const grid = { cells: [97], spacing: 0.25 }
  const field = random.array(97, -1, 1)
  // On the edges of cells, and beyond both ends of the grid.
  const onEdges = Float64Array.from({ length: 200 }, (_, n) => (n - 50) / 4)
  const cells = Int32Array.from(onEdges, (x) => Math.min(96, Math.max(0, Math.floor(x / 0.25))))
  return [
    {
      name: 'a map of whole vectors and components',
      workload: map({ position: 'position + 0.5*velocity', kinetic: 'mass*velocity_x^2/2' }),
      particles,
    },
    {
      name: 'cells at their edges',
      workload: cellIndex({ ...grid, edges: 'clamp' }),
      particles: { dimension: 1, position: onEdges } as const,
      exact: { index: cells },
    },
    { name: 'a laplacian', workload: stencil({ laplacian: '(xm + xp - 2*c)/hx^2' }, grid), particles: { field } },
    { name: 'a gradient, clamped', workload: gradient({ ...grid, edges: 'clamp' }), particles: { field } },
  ].map(({ name, ...rest }): Case => ({ name: `line: ${name}`, ...rest }))
}
