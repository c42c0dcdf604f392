/**
 * Points in one place. The numbers of a pair decide whether its term is finite.
 *
 * The expected results are sums in plain loops, which test whether each term is finite.
 *
 * @module
 */
import {
  accelerations,
  energy,
  forces,
  matrix,
  type PairWorkload,
  pairForce,
  pairPotential,
  pairTerm,
  periodic,
  potentials,
  reduce,
  sum,
  virial,
} from '@manybody/core'
import type { Case } from '../../case.ts'
import { cloud } from '../../points.ts'
import { randomOf } from '../../random.ts'

/** 131 points in few places. Some softening lengths, charges and exponents are 0. */
type Crowd = {
  readonly dimension: 2 | 3
  readonly position: Float64Array
  readonly w: Float64Array
  readonly m: Float64Array
  readonly s: Float64Array
  readonly q: Float64Array
  readonly n: Float64Array
}

const count = 131

function crowd(seed: number, dimension: 2 | 3 = 3, places = 29): Crowd {
  const random = randomOf(seed)
  const box = [3, 3, 3].slice(0, dimension)
  const site = cloud({ count: places, dimension, seed, apart: 0.1, avoid: [1], box })
  const position = Float64Array.from({ length: count * dimension }, (_, k) => {
    const point = Math.floor(k / dimension)
    return site[((point * point) % places) * dimension + (k % dimension)] as number
  })
  const some = (values: readonly number[]) => {
    return Float64Array.from({ length: count }, () => values[Math.floor(random.uniform(0, values.length))] as number)
  }
  return {
    ...{ dimension, position, w: random.array(count, 0.5, 1.5), m: random.array(count, 0.5, 1.5) },
    ...{ s: some([0, 0, 0.25, 0.5]), q: some([-1, 0, 0, 0.5, 2]), n: some([-1, 0, 0, 1, 2]) },
  }
}

type Point = { readonly [Name in 'w' | 's' | 'q' | 'n']: number }

const pointsOf = ({ w, s, q, n }: Crowd): readonly Point[] =>
  Array.from({ length: count }, (_, p) => {
    return { w: w[p] as number, s: s[p] as number, q: q[p] as number, n: n[p] as number }
  })

/** The term of target i and source j at a distance. */
type TermOf = (i: Point, j: Point, r: number) => number

const terms: Readonly<Record<string, readonly [text: string, termOf: TermOf]>> = {
  'a power whose exponent is an attribute': ['w_j*r^(-n_i)', (i, j, r) => j.w * r ** -i.n],
  'a root softened by both points': ['w_j/sqrt(r2 + s_i^2 + s_j^2)', (i, j, r) => j.w / Math.hypot(r, i.s, j.s)],
  'a distance softened by the source': ['w_i/(r + s_j)', (i, j, r) => i.w / (r + j.s)],
  'softenings that cancel': ['w_j/(r2 + (s_i - s_j)^2)', (i, j, r) => j.w / (r * r + (i.s - j.s) ** 2)],
  'a logarithm': ['w_j*log(r2 + s_i^2)', (i, j, r) => j.w * Math.log(r * r + i.s ** 2)],
  'a width': ['w_j*exp(-r2/(0.1 + s_i - s_j)^2)', (i, j, r) => j.w * Math.exp((-r * r) / (0.1 + i.s - j.s) ** 2)],
  'a hard core': ['select(r < s_i, w_j, 1/r)', (i, j, r) => (r < i.s ? j.w : 1 / r)],
  'an infinity that is capped': ['w_j*min(q_i/r, 3)', (i, j, r) => j.w * Math.min(3, i.q / r)],
  'an infinity that decays': ['w_j*exp(-abs(q_i)/r)', (i, j, r) => j.w * Math.exp(-Math.abs(i.q) / r)],
  'an infinity that saturates': ['w_j*tanh(q_i/r)', (i, j, r) => j.w * Math.tanh(i.q / r)],
  'two conditions': ['w_j/(r + s_i) + (r2 + s_j^2)^(-1.5)', (i, j, r) => j.w / (r + i.s) + (r * r + j.s ** 2) ** -1.5],
}

/** Sums over pairs of one set, in plain loops. */
function summed(particles: Crowd, termOf: TermOf, cutoff = Number.POSITIVE_INFINITY): Float64Array {
  const { dimension, position } = particles
  const points = pointsOf(particles)
  const along = (axis: number, source: number, target: number) =>
    (position[source * dimension + axis] as number) - (position[target * dimension + axis] as number)
  return Float64Array.from(points, (i, target) =>
    points.reduce((total, j, source) => {
      const [x, y] = [along(0, source, target), along(1, source, target)]
      const r = dimension === 3 ? Math.hypot(x, y, along(2, source, target)) : Math.hypot(x, y)
      const term = termOf(i, j, r)
      const counts = source !== target && r <= cutoff && (r > 0 || Number.isFinite(term))
      return counts ? total + term : total
    }, 0),
  )
}

/** A law with an energy. Its softening lengths are attributes and a parameter, and each may be 0. */
const soft = pairPotential('-w_i*w_j/sqrt(r2 + s_i^2 + s_j^2 + e^2)', { parameters: { e: 0 }, inertia: 'm' })
/** Its energy, and its virial, which is 0 at contact. */
const softEnergy: TermOf = (i, j, r) => (-i.w * j.w) / Math.hypot(r, i.s, j.s)
const softVirial: TermOf = (i, j, r) => (-i.w * j.w * r * r) / Math.hypot(r, i.s, j.s) ** 3

/** A force with a part that does not follow the displacement. */
const skewed = pairForce({ x: 'dx + w_j/(r + s_i)', y: 'w_j*dy/(r + s_j)', z: 'q_j' })

const inOneTerm = pairTerm('w_j/(r2 + s_i^2 + s_j^2)')

export function coincidentCases(): readonly Case[] {
  return [...bySums(), ...byLoop(), ...byRun()].map((one) => ({ ...one, name: `coincident: ${one.name}`, steep: true }))
}

/** Every kind of condition, in sums with known results. */
function bySums(): readonly Case[] {
  return Object.entries(terms).flatMap(([name, [text, termOf]], n) => {
    const law = pairTerm(text)()
    const [some, flat, one] = [crowd(4000 + n), crowd(4100 + n, 2), crowd(4200 + n, 3, 1)]
    return [
      { name, workload: sum(law), particles: some, closedForm: { value: summed(some, termOf) } },
      { name: `${name}, in 2-D`, workload: sum(law), particles: flat, closedForm: { value: summed(flat, termOf) } },
      {
        name: `${name}, all points in one place`,
        workload: sum(law),
        particles: one,
        closedForm: { value: summed(one, termOf) },
      },
      {
        name: `${name}, within a cutoff`,
        workload: sum(law, { cutoff: 1 }),
        particles: some,
        closedForm: { value: summed(some, termOf, 1) },
      },
    ]
  })
}

/** Every quantity, reduction and domain. */
function byLoop(): readonly Case[] {
  const some = crowd(4300)
  const [one, other] = [crowd(4301), crowd(4302)]
  const asymmetric = pairPotential('w_i*s_j*log(r2 + s_i^2) + w_j*s_i*log(r2 + s_j^2)')
  const exclusions = Array.from({ length: 40 }, (_, n) => [n, 3 * n] as const)
  const workloads: Readonly<Record<string, PairWorkload>> = {
    forces: forces(soft()),
    accelerations: accelerations(soft()),
    'forces by component': forces(skewed()),
    'potentials of a sum of logarithms': potentials(asymmetric()),
    'potentials in a box': potentials(soft(), { boundary: periodic([3, 3, 3]) }),
    'potentials in a box within a cutoff': potentials(soft(), {
      boundary: periodic([3, 3, 3]),
      cutoff: 1,
      shift: true,
    }),
    'potentials switched off': potentials(soft(), { cutoff: 1, switchDistance: 0.5 }),
    'potentials with exclusions': potentials(soft(), { exclusions }),
    'points that meet themselves': sum(inOneTerm(), { self: 'include' }),
    'a matrix': matrix(inOneTerm()),
    'the least': reduce('min', inOneTerm()),
    'the greatest': reduce('max', inOneTerm()),
    'the index of the greatest': reduce('argmax', inOneTerm()),
    'log-sum-exps': reduce('logsumexp', inOneTerm()),
    'the greatest within a cutoff': reduce('max', inOneTerm(), { cutoff: 1 }),
  }
  return [
    ...Object.entries(workloads).flatMap(([name, workload]) => [
      { name, workload, particles: some },
      {
        name: `${name}, two sets`,
        workload,
        particles: { targets: one, sources: { ...other, position: one.position } },
      },
    ]),
    {
      name: 'potentials',
      workload: potentials(soft()),
      particles: some,
      closedForm: { potential: summed(some, softEnergy) },
    },
    {
      name: 'an energy',
      workload: energy(soft()),
      particles: some,
      closedForm: { energy: summed(some, softEnergy) },
    },
    {
      name: 'a virial',
      workload: virial(soft()),
      particles: some,
      closedForm: { virial: summed(some, softVirial) },
    },
  ]
}

/** Programs that run in parts, or again with other numbers. */
function byRun(): readonly Case[] {
  const [some, others] = [crowd(4400), crowd(4401)]
  const workload = potentials(soft())
  return [
    {
      name: 'parts of a run',
      workload,
      particles: some,
      parts: {
        targets: [
          [0, 50],
          [50, count],
        ],
        sources: [
          [0, 65],
          [65, 66],
          [66, count],
        ],
      },
    },
    {
      name: 'softened by the run, by attributes alone, and by the run again',
      workload: potentials(soft({ e: 0.5 })),
      particles: some,
      again: [
        { workload, particles: others, parameters: { e: 0 } },
        { workload, particles: some, parameters: { e: 0.5 } },
      ],
    },
  ]
}
