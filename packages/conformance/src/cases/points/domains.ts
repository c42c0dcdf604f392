/**
 * Domains: periodic boxes, cutoffs with a jump, a switch or a shift, exclusions, and points that meet themselves.
 *
 * @module
 */
import {
  accelerations,
  coulomb,
  type DomainOptions,
  forces,
  gaussian,
  gravity,
  type Interaction,
  lennardJones,
  type ParticleSet,
  pairForce,
  pairTerm,
  periodic,
  potentials,
  sum,
  yukawa,
} from '@manybody/core'
import type { Case } from '../../case.ts'
import { cloud, lattice, liquid } from '../../points.ts'
import { randomOf } from '../../random.ts'

const one = pairTerm('1', { name: 'one' })()
const spread = pairTerm({ a: 'charge_j', b: 'charge_j*dx' }, { name: 'spread' })()
const push = pairForce('-charge_i*charge_j/(1 + r2)', { name: 'push' })()

const count = 130
const cutoff = 2.25

export function domainCases(): readonly Case[] {
  return [...cutoffs(), ...boxes(), ...exclusions(), ...withSelf(), movedBounds()]
}

function attributes(seed: number): Readonly<Record<string, Float64Array>> {
  const random = randomOf(seed)
  return {
    mass: random.array(count, 0.5, 2),
    charge: random.array(count, -2, 2),
    weight: random.array(count, -1, 2),
    sigma: random.array(count, 0.8, 1.2),
    epsilon: random.array(count, 0.1, 2),
  }
}

const cells = [5, 5, 6] as const

/** Every target sees a few dozen sources and does not see the others. */
function inOpenSpace(): ParticleSet {
  return { position: liquid(cells, 1.1, { count, seed: 601, avoid: [cutoff] }), ...attributes(602) }
}

const steep = (law: Interaction): Pick<Case, 'steep'> => (law.name === 'lennard-jones' ? { steep: true } : {})

function cutoffs(): readonly Case[] {
  const particles = inOpenSpace()
  const endings: Readonly<Record<string, DomainOptions>> = {
    'a cutoff': { cutoff },
    'a switched cutoff': { cutoff, switchDistance: 1.5 },
    'a cutoff switched from zero': { cutoff, switchDistance: 0 },
    'a shifted cutoff': { cutoff, shift: true },
  }
  const laws = [lennardJones(), coulomb(), gaussian()]
  // Do not switch from zero: the core of a steep law would nearly cancel the slope of the switch.
  const fits = (law: Interaction, ending: string) => !(law.name === 'lennard-jones' && ending.includes('zero'))
  const ofEnergies = Object.entries(endings).flatMap(([ending, options]) =>
    laws
      .filter((law) => fits(law, ending))
      .flatMap((law) => [
        { name: `domains: forces of ${law.name}, ${ending}`, workload: forces(law, options), particles, ...steep(law) },
        {
          name: `domains: potentials of ${law.name}, ${ending}`,
          workload: potentials(law, options),
          particles,
          ...steep(law),
        },
      ]),
  )
  const switched = { cutoff, switchDistance: 1 }
  return [
    ...ofEnergies,
    { name: 'domains: a typed force, a switched cutoff', workload: forces(push, switched), particles },
    { name: 'domains: a term of two components, a switched cutoff', workload: sum(spread, switched), particles },
    { name: 'domains: sum of 1, a cutoff', workload: sum(one, { cutoff }), particles },
    { name: 'domains: a cutoff beyond all pairs', workload: accelerations(gravity(), { cutoff: 64 }), particles },
    {
      name: 'domains: a cutoff before any pair',
      workload: accelerations(gravity(), { cutoff: 0.5 }),
      particles,
      exact: { acceleration: new Float64Array(3 * count) },
    },
  ]
}

/** Nearest images, in boxes of unequal edges, of points inside and far outside. */
function boxes(): readonly Case[] {
  const lengths = [5.5, 5.75, 6.625]
  const boundary = periodic(lengths)
  const inside = {
    position: liquid(cells, 1.1, { count, seed: 611, box: lengths, avoid: [cutoff] }),
    ...attributes(612),
  }
  const outside = {
    position: cloud({ count, seed: 613, side: 30, apart: 0.6, box: lengths, avoid: [cutoff] }),
    ...attributes(614),
  }
  const laws = [gravity({ softening: 0.25 }), yukawa(), lennardJones()]
  const slab = [5.5, Infinity, 6.625]
  const triclinic = { a: [5.5, 0, 0], b: [-2.5, 5.75, 0], c: [2, 2.75, 6.625] } as const
  return [
    ...laws.map((law) => ({
      name: `domains: ${law.name} in a periodic box`,
      workload: forces(law, { boundary }),
      particles: inside,
      ...steep(law),
    })),
    {
      name: 'domains: points outside a periodic box',
      workload: potentials(yukawa(), { boundary }),
      particles: outside,
    },
    {
      name: 'domains: a periodic box and a cutoff',
      workload: forces(lennardJones(), { boundary, cutoff }),
      particles: inside,
      steep: true,
    },
    {
      name: 'domains: a periodic box and a switched cutoff',
      workload: potentials(coulomb(), { boundary, cutoff, switchDistance: 1.75 }),
      particles: outside,
    },
    {
      name: 'domains: a slab, with points far outside of its faces',
      workload: potentials(yukawa(), { boundary: periodic([30, Infinity, 8]) }),
      particles: {
        position: cloud({ count, seed: 615, side: 30, apart: 0.6, box: [30, Infinity, 8] }),
        ...attributes(616),
      },
    },
    {
      name: 'domains: a slab and a cutoff of half its shortest side',
      workload: forces(lennardJones(), { boundary: periodic(slab), cutoff: 2.75 }),
      particles: {
        position: liquid(cells, 1.1, { count, seed: 617, box: slab, avoid: [2.75] }),
        ...attributes(618),
      },
      steep: true,
    },
    {
      name: 'domains: a triclinic box and a switched cutoff',
      workload: forces(coulomb(), { boundary: periodic(triclinic), cutoff, switchDistance: 1.75 }),
      particles: { ...inside, position: sheared(inside.position, triclinic) },
    },
    {
      // Either image would do. Rounding halves to even makes both points of a pair see the same one.
      name: 'domains: points half a box apart',
      workload: forces(gravity(), { boundary: periodic([4, 4, 4]) }),
      particles: { position: lattice([4, 4, 4]), mass: new Float64Array(64).fill(1) },
      balanced: true,
    },
    {
      name: 'domains: sum of 1 in a periodic box',
      workload: sum(one, { boundary }),
      particles: outside,
      exact: { value: new Float64Array(count).fill(count - 1) },
    },
  ]
}

/** Points of a right-angled box at the same places of a triclinic one. */
function sheared(position: Float64Array, { b, c }: Record<'b' | 'c', readonly [number, number, number]>): Float64Array {
  const slopes = [b[0] / b[1], c[0] / c[2], c[1] / c[2]] as const
  return position.map((x, n) => {
    const [y = 0, z = 0] = position.subarray(n + 1)
    return [x + slopes[0] * y + slopes[1] * z, x + slopes[2] * y, x][n % 3] as number
  })
}

function exclusions(): readonly Case[] {
  const particles = inOpenSpace()
  const bonds = Array.from({ length: count - 1 }, (_, i) => [i, i + 1] as const)
  // One point that is excluded from everything, and pairs on both sides of tile edges, one of them listed twice.
  const hub = Array.from({ length: count - 1 }, (_, i) => [64, i < 64 ? i : i + 1] as const)
  const edges = [
    [0, 129],
    [129, 0],
    [63, 64],
    [65, 127],
    [0, 64],
    [128, 129],
  ] as const
  const [targets, sources] = [3, 130]
  const two = {
    targets: { position: cloud({ count: targets, seed: 621 }), mass: new Float64Array(targets).fill(1) },
    sources: { position: cloud({ count: sources, seed: 622, side: 4 }), mass: new Float64Array(sources).fill(1) },
  }
  return [
    { name: 'domains: a chain of exclusions', workload: forces(gravity(), { exclusions: bonds }), particles },
    { name: 'domains: one point excluded from all', workload: potentials(gravity(), { exclusions: hub }), particles },
    { name: 'domains: exclusions at tile edges', workload: accelerations(coulomb(), { exclusions: edges }), particles },
    { name: 'domains: exclusions and a cutoff', workload: forces(coulomb(), { exclusions: bonds, cutoff }), particles },
    {
      name: 'domains: sum of 1 with exclusions',
      workload: sum(one, { exclusions: bonds }),
      particles,
      exact: { value: Float64Array.from({ length: count }, (_, i) => count - (i === 0 || i === count - 1 ? 2 : 3)) },
    },
    {
      // Between two sets an exclusion is `[target, source]`, not the other way round.
      name: 'domains: exclusions between two sets',
      workload: sum(one, {
        exclusions: [
          [0, 0],
          [0, 129],
          [2, 64],
          [2, 64],
        ],
      }),
      particles: two,
      exact: { value: Float64Array.of(sources - 2, sources, sources - 1) },
    },
    {
      // A device that tests a pair once for each number compiles this for minutes.
      name: 'domains: four numbers with exclusions between two sets',
      workload: sum(pairTerm({ a: 'mass_j*dx/(r2 + 1)', b: 'mass_j*dy/(r2 + 1)', c: '3*mass_j*dz', d: 'mass_j' })(), {
        exclusions: [
          [0, 0],
          [2, 64],
        ],
      }),
      particles: two,
    },
  ]
}

/** Laws that are finite at zero distance, so that a point can act on itself. */
function withSelf(): readonly Case[] {
  const particles = inOpenSpace()
  const self = 'include'
  return [
    { name: 'domains: gaussian with self', workload: potentials(gaussian(), { self }), particles },
    {
      name: 'domains: softened gravity with self',
      workload: potentials(gravity({ softening: 0.5 }), { self }),
      particles,
    },
    { name: 'domains: forces of gaussian with self', workload: forces(gaussian(), { self }), particles },
    // Singular at zero distance: the pair does not count, even if a point may meet itself.
    { name: 'domains: coulomb with self', workload: potentials(coulomb(), { self }), particles },
    {
      name: 'domains: sum of 1 with self and a cutoff before any pair',
      workload: sum(one, { self, cutoff: 0.5 }),
      particles,
      exact: { value: new Float64Array(count).fill(1) },
    },
  ]
}

/** Cutoffs, box lengths and parameters belong to a run, not to a program. */
function movedBounds(): Case {
  const ending = (box: readonly number[], end: number) =>
    potentials(yukawa(), { boundary: periodic(box), cutoff: end, switchDistance: end / 2 })
  const within = (box: readonly number[], seed: number): ParticleSet => ({
    position: liquid(cells, 1.1, { count, seed, box }),
    ...attributes(seed),
  })
  const [first, second] = [
    [5.5, 5.75, 6.625],
    [6.5, 5.5, 7],
  ] as const
  return {
    name: 'domains: another box, cutoff and parameter without a new program',
    workload: ending(first, 2.25),
    particles: within(first, 631),
    again: [
      { workload: ending(second, 2), particles: within(second, 632) },
      { workload: ending(first, 2.25), particles: within(first, 631), parameters: { k: -3, kappa: 0.25 } },
    ],
  }
}
