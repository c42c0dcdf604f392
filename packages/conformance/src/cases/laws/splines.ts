/**
 * Tabulated functions: natural cubic splines through values at equal steps, one for all pairs or one for each pair of kinds. Their
 * closed forms are SciPy's: `CubicSpline(at, values, bc_type='natural')` of version 1.17.1.
 *
 * @module
 */
import {
  accelerations,
  energy,
  forces,
  type Interaction,
  type LawOptions,
  matrix,
  pairForce,
  pairPotential,
  pairTerm,
  periodic,
  potentials,
  reduce,
  sum,
  sumOf,
  virial,
} from '@manybody/core'
import type { Case, CaseRun } from '../../case.ts'
import { cloud, liquid } from '../../points.ts'
import { randomOf } from '../../random.ts'

export function splineCases(): readonly Case[] {
  return [...betweenNodes(), ...beyondEnds(), ...loops(), ...byKinds(), ...changed(), ...shifted(), ...summed()]
}

/** Functions may have other ends and other numbers of nodes in each run. At a node the value is known. */
function changed(): readonly Case[] {
  const workload = potentials(potential({ u: few }))
  const run = (distance: number, value: number, u = few): CaseRun => ({
    workload,
    particles: { position: apart(distance) },
    functions: { u },
    closedForm: { potential: both(value) },
  })
  const mixture = forces(potential({ u: mixed(1) }, 'u[kind_i, kind_j](r)'))
  const particles = {
    position: cloud({ count: 65, seed: 31 }),
    kind: Float64Array.from({ length: 65 }, (_, n) => n % 2),
    mass: new Float64Array(65).fill(1),
  }
  return [
    {
      name: 'splines: other functions in each run',
      ...run(1.5, 0.5),
      again: [
        run(2, 7, { from: 0, to: 3, values: [5, 1, 7, -2] }),
        run(1.5, -4, { from: 1.5, to: 2.5, values: [-4, 8] }),
        { workload, particles: { position: apart(1.25) }, closedForm: { potential: both(-1) } },
        run(2, 12, { from: 1, to: 3, values: Array.from({ length: 17 }, (_, n) => 20 - n) }),
      ],
    },
    {
      name: 'splines: other functions of a mixture in each run',
      workload: mixture,
      particles,
      again: [2, 3, 1].map((seed) => ({ workload: mixture, particles, functions: { u: mixed(seed) } })),
    },
  ]
}

/** Three functions of two kinds. */
function mixed(seed: number): Functions[string] {
  const random = randomOf(seed)
  const one = () => ({ from: 0, to: 4, values: Array.from(random.array(9 + seed, -1, 1)) })
  const [own, other, third] = [one(), one(), one()]
  return [
    [own, other],
    [other, third],
  ]
}

type Functions = NonNullable<LawOptions['functions']>

const potential = (functions: Functions, text = 'u(r)'): Interaction =>
  pairPotential(text, { name: text, functions, inertia: 'mass' })()

/** Whole numbers and steps of a quarter, which float32 holds. */
const few = { from: 1, to: 2, values: [3, -1, 0.5, 2, 1] }

const apart = (distance: number): Float64Array => Float64Array.of(0, 0, 0, distance, 0, 0)
const both = (value: number): Float64Array => Float64Array.of(value, value)
const mutual = (slope: number): Float64Array => Float64Array.of(slope, 0, 0, -slope, 0, 0)

function betweenNodes(): readonly Case[] {
  const at = (distance: number, value: number, slope: number): readonly Case[] => [
    {
      name: `splines: the value at ${distance}`,
      workload: potentials(potential({ u: few })),
      particles: { position: apart(distance) },
      closedForm: { potential: both(value) },
    },
    {
      name: `splines: the slope at ${distance}`,
      workload: forces(potential({ u: few })),
      particles: { position: apart(distance) },
      closedForm: { force: mutual(slope) },
      // A rounding of the distance, times the second derivative.
      steep: true,
    },
  ]
  return [
    ...at(1.125, 0.4642857142857142, -17.42857142857143),
    ...at(1.5, 0.5, 10),
    ...at(1.875, 1.7142857142857144, -4.571428571428571),
  ]
}

/** The value beyond the ends of a function. */
function beyondEnds(): readonly Case[] {
  const of = (name: string, outside: 'zero' | 'edge', distance: number, value: number): Case => ({
    name: `splines: ${name}`,
    workload: potentials(potential({ u: { ...few, outside } })),
    particles: { position: apart(distance) },
    closedForm: { potential: both(value) },
  })
  return [
    of('0 before the first distance', 'zero', 0.875, 0),
    of('0 after the last distance', 'zero', 2.125, 0),
    of('the first value before the first distance', 'edge', 0.5, 3),
    of('the last value after the last distance', 'edge', 4, 1),
    of('the first value at a distance of 0', 'edge', 0, 3),
    {
      name: 'splines: no force beyond the ends',
      workload: forces(potential({ u: { ...few, outside: 'edge' } })),
      particles: { position: Float64Array.of(0, 0, 0, 0.5, 0, 0, 8, 0, 0) },
      closedForm: { force: new Float64Array(9) },
    },
  ]
}

/** A well with a wall, at as many steps as a user would have. */
const well = (nodes: number, from: number, to: number, depth = 1) => ({
  from,
  to,
  values: Array.from({ length: nodes }, (_, n) => {
    const r = from + ((to - from) * n) / (nodes - 1)
    return depth * (r ** -6 - 2 * r ** -3)
  }),
})

/** Energies that are 0 at the cutoff: each pair reads the step at its distance and the step at the cutoff. */
function shifted(): readonly Case[] {
  const edge = { ...few, outside: 'edge' } as const
  const own = potential({ u: [edge, { ...edge, from: 0.5 }] }, 'u[kind_j](r)')
  const particles = {
    position: cloud({ count: 70, seed: 41 }),
    kind: Float64Array.from({ length: 70 }, (_, n) => n % 2),
  }
  return [
    {
      name: 'splines: shifted by the value at the cutoff',
      workload: potentials(potential({ u: few }), { cutoff: 1.875, shift: true }),
      particles: { position: apart(1.125) },
      closedForm: { potential: both(0.4642857142857142 - 1.7142857142857144) },
    },
    {
      name: 'splines: shifted functions of a mixture',
      workload: potentials(own, { cutoff: 1.3, shift: true }),
      particles,
    },
    { name: 'splines: a shift changes no force', workload: forces(own, { cutoff: 1.3, shift: true }), particles },
  ]
}

/** Sums of laws with tabulated functions of the same name. */
function summed(): readonly Case[] {
  const edge = { ...few, outside: 'edge' } as const
  const [one, other] = [potential({ u: edge }), potential({ u: { ...edge, from: 0.5, to: 3 } }, '2*u(r)')]
  const byKind = potential({ u: [edge, { ...edge, to: 4 }] }, 'u[kind_j](r)')
  return [
    {
      name: 'splines: a sum of laws with functions of the same name',
      workload: potentials(sumOf(one, other)),
      particles: { position: apart(1.75) },
      // The other function has the same values in steps of 0.625, and 1.75 is its third node.
      closedForm: { potential: both(2 + 2 * 0.5) },
    },
    {
      name: 'splines: the forces of a sum of laws',
      workload: forces(sumOf(one, byKind, potential({ u: few }, '0.1/r'))),
      particles: {
        position: cloud({ count: 67, seed: 42 }),
        kind: Float64Array.from({ length: 67 }, (_, n) => n % 2),
        mass: new Float64Array(67).fill(1),
      },
    },
  ]
}

/** Each kind of loop. */
function loops(): readonly Case[] {
  const u = well(200, 0.5, 12)
  const law = potential({ u })
  const particles = {
    position: liquid([4, 4, 5], 1.2, { count: 67, seed: 21, avoid: [2.5] }),
    mass: randomOf(22).array(67, 0.5, 2),
  }
  const one = (name: string, workload: Case['workload'], more: Case['particles'] = particles): Case => ({
    name: `splines: ${name}`,
    workload,
    particles: more,
  })
  const value = pairTerm('u(r) + w(r)*dx', {
    functions: { u: { ...u, outside: 'edge' }, w: { from: 0, to: 3, values: [1, 0.5, -1, 2, 0], outside: 'zero' } },
  })()
  const box = [9, 9, 9]
  const [targets, sources] = [
    { position: cloud({ count: 65, seed: 23 }) },
    { position: cloud({ count: 129, seed: 24 }) },
  ]
  return [
    one('forces', forces(law)),
    one('accelerations', accelerations(law)),
    one('forces within a cutoff', forces(law, { cutoff: 2.5 })),
    one('forces in a box', forces(law, { cutoff: 3, boundary: periodic(box) })),
    one('switched energy', energy(law, { cutoff: 2.5, switchDistance: 2 })),
    one('virial', virial(law)),
    one('two functions in a term', sum(value), { targets, sources }),
    // Where the slope is steep, a rounding of the distance counts more.
    { ...one('a matrix', matrix(value), { targets, sources }), steep: true },
    one('the least term', reduce('min', value), { targets, sources }),
    one('a force that is a function', forces(pairForce('u(r)', { functions: { u: { ...u, outside: 'edge' } } })()), {
      position: cloud({ count: 130, seed: 25 }),
    }),
    one('in the plane', forces(potential({ u: { ...u, outside: 'edge' } })), {
      dimension: 2,
      position: cloud({ count: 66, dimension: 2, seed: 26 }),
    }),
  ]
}

/** A function for each pair of kinds, with other ends and other numbers of steps. */
function byKinds(): readonly Case[] {
  const [a, b, c] = [
    { ...well(150, 0.5, 3), outside: 'edge' },
    { ...well(20, 0.75, 5, 2), outside: 'edge' },
    { ...few, outside: 'edge' },
  ] as const
  const text = 'u[kind_i, kind_j](r)'
  const particles = {
    position: cloud({ count: 131, seed: 27 }),
    kind: Float64Array.from({ length: 131 }, (_, n) => (5 * n + Math.floor(n / 3)) % 2),
    mass: randomOf(28).array(131, 0.5, 2),
  }
  const mixed = potential(
    {
      u: [
        [a, b],
        [b, c],
      ],
    },
    text,
  )
  const lopsided = potential(
    {
      u: [
        [a, b],
        [c, a],
      ],
    },
    text,
  )
  const one = (name: string, workload: Case['workload']): Case => ({ name: `splines: ${name}`, workload, particles })
  return [
    one('forces of a mixture', forces(mixed)),
    one('potentials of a mixture', potentials(mixed)),
    one('accelerations of a mixture within a cutoff', accelerations(mixed, { cutoff: 1 })),
    one('forces of functions that are not symmetric', forces(lopsided)),
    one('a function of the kind of the source', potentials(potential({ u: [a, c] }, 'u[kind_j](r)'))),
    {
      name: 'splines: rows for targets and columns for sources',
      workload: sum(
        pairTerm('u[kind_i, kind_j](r)', {
          functions: {
            u: [
              [a, b],
              [c, a],
            ],
          },
        })(),
      ),
      particles: {
        targets: { position: Float64Array.of(0, 0, 0), kind: Float64Array.of(1) },
        sources: { position: Float64Array.of(1.75, 0, 0), kind: Float64Array.of(0) },
      },
      closedForm: { value: Float64Array.of(2) },
    },
  ]
}
