/**
 * Cutoffs that follow from the numbers of both points of a pair: sums, products and extremes of attributes, parameters and tables. Few
 * points reach far, most do not, and some reach nowhere.
 *
 * @module
 */
import {
  countWithin,
  type DomainOptions,
  forces,
  lennardJones,
  matrix,
  nearest,
  neighborsWithin,
  type PairWorkload,
  type ParticleSet,
  pairPotential,
  pairTerm,
  periodic,
  potentials,
  reduce,
  sum,
} from '@manybody/core'
import type { Case } from '../../case.ts'
import { cloud } from '../../points.ts'
import { randomOf } from '../../random.ts'

const count = 300

const tables = {
  sizes: [
    [0.125, 0.25],
    [0.3125, 0.5],
  ],
}
const bump = pairTerm('radius_i*radius_j*exp(-r2)', { name: 'bump', parameters: { reach: 1.5 } })()
const typed = pairTerm('radius_j*sizes[kind_i, kind_j] - r2', { name: 'typed', tables })()
const touching = 'radius_i + radius_j'

/** The text of a cutoff, its value for two points, and workloads with it. */
interface Own {
  readonly of: (a: Numbers, b: Numbers) => number
  readonly workloads: Readonly<Record<string, (domain: DomainOptions) => PairWorkload>>
}

interface Numbers {
  readonly radius: number
  readonly kind: number
}

const cutoffs: readonly Own[] = [
  {
    of: (a, b) => a.radius + b.radius,
    workloads: {
      'counts of circles that touch': (domain) => countWithin(touching, domain),
      'lists of circles that touch': (domain) => neighborsWithin(touching, domain),
      'a matrix of circles that touch': (domain) => matrix(bump, { ...domain, cutoff: touching }),
    },
  },
  {
    of: (a, b) => 1.5 * Math.max(a.radius, b.radius),
    workloads: {
      'a sum within the larger radius': (domain) => sum(bump, { ...domain, cutoff: 'reach*max(radius_i, radius_j)' }),
    },
  },
  {
    of: (_, b) => 2 * b.radius,
    workloads: {
      'the 4 nearest within the reach of a source': (domain) =>
        nearest(4, { ...domain, cutoff: 'reach*radius_j', parameters: { reach: 2 } }),
    },
  },
  {
    of: (a, b) => tables.sizes[a.kind]?.[b.kind] as number,
    workloads: {
      'the largest term within the distance of two kinds': (domain) =>
        reduce('argmax', typed, { ...domain, cutoff: 'sizes[kind_i, kind_j]' }),
    },
  },
  {
    of: (a, b) => a.radius - 0.5 * b.radius,
    workloads: {
      'a sum within differences, some of them negative': (domain) =>
        sum(bump, { ...domain, self: 'include', cutoff: 'radius_i - 0.5*radius_j' }),
    },
  },
]

export function pairCutoffCases(): readonly Case[] {
  return [...everySet(), ...ofAtoms(), ...farApart(), ...ofKinds(), ...known(), changed()]
}

const dimensionOf = ({ dimension = 3 }: ParticleSet): number => dimension

interface Sized {
  readonly dimension?: 2 | 3
  readonly box?: readonly number[]
  /** The sources. */
  readonly others?: ParticleSet
  /** The decimal logarithm of the largest radius by the least. */
  readonly range?: number
}

/** The points, with radii that let no rounding decide whether a pair counts. */
function sized(
  position: Float64Array,
  seed: number,
  { dimension = 3, box, others, range = 2 }: Sized = {},
): ParticleSet {
  const random = randomOf(seed)
  const points = position.length / dimension
  const size = random.array(points, -range, 0)
  const radius = size.map((x, n) => (n % 19 === 0 ? 0 : 0.4 * 10 ** x))
  const kind = Float64Array.from({ length: points }, (_, n) => (n * 7) % 2)
  const set = { dimension, position, radius, kind }
  for (let tries = 0; decides(set, others ?? set, box) && tries < 50; tries++);
  return set
}

/** Whether rounding might decide for some pair. Its target then gets a smaller radius. */
function decides(targets: ParticleSet, sources: ParticleSet, box: readonly number[] = []): boolean {
  const dimension = dimensionOf(targets)
  const [here, there] = [targets, sources].map((set) => set.position) as [Float64Array, Float64Array]
  const numbersOf = ({ radius, kind }: ParticleSet) =>
    Array.from(radius as Float64Array, (one, n) => ({ radius: one, kind: (kind as Float64Array)[n] as number }))
  const inner = numbersOf(targets)
  const outer = sources === targets ? inner : numbersOf(sources)
  let found = false
  for (let i = 0; i < here.length / dimension; i++)
    for (let j = 0; j < there.length / dimension; j++) {
      let r2 = 0
      for (let axis = 0; axis < dimension; axis++) {
        const d = (there[j * dimension + axis] as number) - (here[i * dimension + axis] as number)
        const length = box[axis]
        r2 += (length ? d - length * Math.round(d / length) : d) ** 2
      }
      const r = Math.sqrt(r2)
      if (r === 0) continue
      const [a, b] = [inner[i], outer[j]] as [(typeof inner)[0], Numbers]
      const near = cutoffs.some(({ of }) => Math.abs(r - of(a, b)) < 1e-5 || Math.abs(r - of(b, a)) < 1e-5)
      if (!near) continue
      a.radius *= 0.999
      ;(targets.radius as Float64Array)[i] = a.radius
      found = true
    }
  return found
}

function everySet(): readonly Case[] {
  const lengths = [2, 2.5, 3]
  const sizes = tables.sizes.flat()
  const open = cloud({ count, seed: 1201, avoid: sizes })
  const plane = cloud({ count, dimension: 2, seed: 1202, avoid: sizes })
  const boxed = cloud({ count, seed: 1203, side: 4, box: lengths, avoid: sizes })
  const circles = sized(open, 1211)
  const sets: Readonly<Record<string, readonly [Case['particles'], DomainOptions]>> = {
    'a cloud': [circles, {}],
    'a plane': [sized(plane, 1212, { dimension: 2 }), {}],
    'a periodic box': [sized(boxed, 1213, { box: lengths }), { boundary: periodic(lengths) }],
    'two sets': [
      {
        targets: sized(cloud({ count: 131, seed: 1204, avoid: sizes, against: open }), 1214, { others: circles }),
        sources: circles,
      },
      {},
    ],
  }
  return Object.entries(sets).flatMap(([where, [particles, domain]]) =>
    cutoffs.flatMap(({ workloads }) =>
      Object.entries(workloads).map(([name, workload]) => ({
        name: `pair cutoffs: ${name} in ${where}`,
        workload: workload(domain),
        particles,
      })),
    ),
  )
}

/** Atoms with sizes of their own, and a cutoff in proportion. */
function ofAtoms(): readonly Case[] {
  const atoms = {
    ...{ count: 125, seed: 1205, side: 5, apart: 0.62, avoid: [2, 2.5, 3] },
  }
  const random = randomOf(1215)
  const particles = {
    position: cloud(atoms),
    // Three sums of two sizes.
    sigma: Float64Array.from({ length: atoms.count }, (_, n) => (n % 3 === 0 ? 0.6 : 0.4)),
    epsilon: random.array(atoms.count, 0.5, 2),
  }
  const cutoff = '2.5*(sigma_i + sigma_j)'
  return [
    { name: 'pair cutoffs: forces of atoms', workload: forces(lennardJones(), { cutoff }), particles, steep: true },
    {
      name: 'pair cutoffs: shifted potentials of atoms',
      workload: potentials(lennardJones(), { cutoff, shift: true }),
      particles,
      steep: true,
    },
  ]
}

/** Circles whose sizes differ by a factor of 10000, so that small ones are looked for far less far than large ones. */
function farApart(): readonly Case[] {
  const side = 8
  const plane = { count: 1000, dimension: 2, side, avoid: tables.sizes.flat() } as const
  const lengths = [side + 1, side + 2]
  const overlap = pairPotential('(1 - r/(radius_i + radius_j + 0.1))^2', { name: 'overlap' })()
  const sets = {
    'in a plane': [sized(cloud({ ...plane, seed: 1207 }), 1217, { dimension: 2, range: 4 }), {}],
    'in a periodic plane': [
      sized(cloud({ ...plane, seed: 1208, box: lengths }), 1218, { dimension: 2, range: 4, box: lengths }),
      { boundary: periodic(lengths) },
    ],
  } as const
  return Object.entries(sets).flatMap(([where, [particles, domain]]) =>
    Object.entries({
      'counts of circles': countWithin(touching, domain),
      'counts of points within 1.5 radii of a source': countWithin('1.5*radius_j', domain),
      'lists of circles': neighborsWithin(touching, domain),
      'forces of circles': forces(overlap, { ...domain, cutoff: touching }),
      'sums of terms': sum(bump, { ...domain, cutoff: 'reach*max(radius_i, radius_j)' }),
    }).map(([name, workload]) => ({
      name: `pair cutoffs: ${name} of very different sizes ${where}`,
      workload,
      particles,
    })),
  )
}

/** Kinds of very different sizes, of which few points have the largest, in lists and tables of any form. */
function ofKinds(): readonly Case[] {
  const sizes = [0.0625, 0.09375, 0.125, 1.25]
  const lists = { size: sizes, other: [0.15625, 0.28125] }
  const reaches = {
    // Of a mixture, for unlike kinds alone, and of other kinds of sources.
    reach: sizes.map((a, n) => sizes.map((b, m) => a + b + (n + m === 1 ? 0.25 : 0))),
    apart: sizes.map((a, n) => sizes.map((b, m) => (n === m ? 0 : a + b))),
    across: sizes.map((a, n) => lists.other.map((b, m) => 2 * a + b - (n === 0 && m === 1 ? 1 : 0))),
  }
  const law = pairTerm('radius_i*radius_j/(1 + r2)', { name: 'of kinds', tables: { ...lists, ...reaches } })()
  const avoid = [0, ...lists.other, ...sizes, ...Object.values(reaches).flat(2)].flatMap((x) => [x, 1.5 * x, 2 * x])
  const all = avoid.flatMap((a) => [a, ...sizes.map((b) => a + b)]).filter((x) => x > 0)
  const position = cloud({ count: 1000, dimension: 2, side: 8, seed: 1209, avoid: all })
  const random = randomOf(1219)
  const particles = {
    dimension: 2 as const,
    position,
    radius: random.array(1000, 0.5, 1),
    kind: Float64Array.from(random.array(1000, 0, 3), (x, n) => (n % 250 === 7 ? 3 : Math.floor(x))),
    form: Float64Array.from({ length: 1000 }, (_, n) => n % 2),
  }
  return Object.entries({
    'the sizes of two lists': 'size[kind_i] + other[form_j]',
    'the larger size': '1.5*max(size[kind_i], size[kind_j])',
    'the reach of two kinds': 'reach[kind_i, kind_j]',
    'the reach of unlike kinds': 'apart[kind_i, kind_j]',
    'a rectangular table': 'across[kind_i, form_j]',
    'a rectangular table with its rows for sources': 'across[kind_j, form_i]',
  }).map(([name, cutoff]) => ({
    name: `pair cutoffs: ${name}, of very different numbers`,
    workload: sum(law, { cutoff }),
    particles,
  }))
}

/** Counts that are known without a reference. */
function known(): readonly Case[] {
  // On a line, 1 apart. The circle in the middle reaches over 40 others.
  const line = Float64Array.from({ length: 3 * 101 }, (_, n) => (n % 3 === 0 ? n / 3 : 1))
  const radius = Float64Array.from({ length: 101 }, (_, n) => (n === 50 ? 20.25 : 0.25))
  const met = Array.from({ length: 101 }, (_, n) => (n === 50 ? 40 : Number(Math.abs(n - 50) <= 20)))
  return [
    {
      name: 'pair cutoffs: counts of one large circle among small ones',
      workload: countWithin(touching),
      particles: { position: line, radius },
      exact: { count: met },
    },
    {
      name: 'pair cutoffs: counts of points without a size',
      workload: countWithin(touching),
      particles: { position: Float64Array.of(1, 2, 3, 1, 2, 3, 1, 2, 4), radius: new Float64Array(3) },
      exact: { count: [1, 1, 0] },
    },
  ]
}

/** One program. Its points get other sizes, and its parameter another value. */
function changed(): Case {
  const workload = sum(bump, { cutoff: 'reach*(radius_i + radius_j)' })
  const position = cloud({ count, seed: 1206, avoid: Array.from({ length: 32 }, (_, n) => (n + 1) / 16) })
  const run = (factor: number, reach: number) => ({
    workload,
    parameters: { reach },
    // Multiples of one size. The cloud avoids their sums.
    particles: {
      position,
      radius: randomOf(1216)
        .array(count, 0, 1)
        .map((x) => factor * 0.0625 * Math.round(4 * x)),
    },
  })
  return {
    name: 'pair cutoffs: sizes and a parameter that change',
    ...run(1, 1),
    again: [run(4, 1), run(1, 3), run(1, 1)],
  }
}
