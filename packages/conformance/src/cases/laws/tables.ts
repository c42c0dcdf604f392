/**
 * Tables: numbers by the kinds of both points, or of one. Most tables here are not symmetric, so that rows and columns cannot be
 * mistaken for each other, and sums of whole numbers show every wrong number.
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
  mixedTable,
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
import { cloud, liquid } from '../../points.ts'
import { randomOf } from '../../random.ts'

export function tableCases(): readonly Case[] {
  return [...counted(), ...mixtures(), ...loops(), ...changed(), ...atContact()]
}

/** The kind of each point: all of them occur, in no simple order. */
const kindsOf = (count: number, kinds: number): Float64Array =>
  Float64Array.from({ length: count }, (_, n) => (7 * n + Math.floor(n / 3)) % kinds)

/** Whole numbers, all different as far as float32 can add them up. */
const wholes = (rows: number, columns: number): readonly (readonly number[])[] =>
  Array.from({ length: rows }, (_, row) => Array.from({ length: columns }, (_, column) => (31 * row + column) % 997))

type Tables = NonNullable<LawOptions['tables']>

const term = (text: string, tables: Tables): Interaction => pairTerm(text, { name: text, tables })()

/** Sums, over all sources, of a whole number that the table gives for both kinds. */
function counted(): readonly Case[] {
  const of = (kinds: number, count: number, self: 'include' | 'exclude' = 'exclude'): Case => {
    const table = wholes(kinds, kinds)
    const kind = kindsOf(count, kinds)
    const value = Array.from(kind, (row, i) =>
      kind.reduce((total, column, j) => total + (i === j && self === 'exclude' ? 0 : Number(table[row]?.[column])), 0),
    )
    return {
      name: `tables: sums of ${kinds} x ${kinds} whole numbers, ${count} points${self === 'include' ? ' with self' : ''}`,
      workload: sum(term('a[kind_i, kind_j]', { a: table }), { self }),
      particles: { position: cloud({ count, seed: 3 }), kind },
      exact: { value },
    }
  }
  const rectangle = wholes(3, 5)
  const [kind, colour] = [kindsOf(70, 3), kindsOf(130, 5)]
  const sizes = [5, 1, 4, 2]
  const size = kindsOf(65, 4)
  return [
    ...[of(1, 3), of(2, 65), of(3, 129, 'include'), of(27, 200), of(300, 257)],
    {
      name: 'tables: rows for targets and columns for sources',
      workload: sum(term('a[kind_i, colour_j]', { a: rectangle })),
      particles: {
        targets: { position: cloud({ count: 70, seed: 4 }), kind },
        sources: { position: cloud({ count: 130, seed: 5 }), colour },
      },
      exact: {
        value: Array.from(kind, (row) => colour.reduce((total, column) => total + Number(rectangle[row]?.[column]), 0)),
      },
    },
    {
      name: 'tables: rows for sources and columns for targets',
      workload: sum(term('a[colour_j, kind_i]', { a: wholes(5, 3) })),
      particles: {
        targets: { position: cloud({ count: 70, seed: 4 }), kind },
        sources: { position: cloud({ count: 130, seed: 5 }), colour },
      },
      exact: {
        value: Array.from(kind, (column) =>
          colour.reduce((total, row) => total + Number(wholes(5, 3)[row]?.[column]), 0),
        ),
      },
    },
    {
      name: 'tables: one number for each kind',
      workload: sum(term('size[kind_i]*size[kind_j]', { size: sizes })),
      particles: { position: cloud({ count: 65, seed: 6 }), kind: size },
      exact: {
        value: Array.from(size, (own, i) =>
          size.reduce((total, other, j) => total + (i === j ? 0 : Number(sizes[own]) * Number(sizes[other])), 0),
        ),
      },
    },
    {
      name: 'tables: several shapes, and two kinds of each point',
      workload: sum(
        term('a[kind_i, kind_j] + b[kind_i, kind_j] + c[kind_i, colour_j] + d[colour_j, kind_i] + e[colour_i]', {
          ...{ a: wholes(4, 4), b: wholes(4, 4).toReversed(), c: wholes(4, 3), d: wholes(3, 4), e: [3, 1, 2] },
        }),
      ),
      particles: { position: cloud({ count: 67, seed: 7 }), kind: kindsOf(67, 4), colour: kindsOf(67, 3) },
    },
  ]
}

const energyText = '4*epsilon[kind_i, kind_j]*(q^2 - q); q = (sigma[kind_i, kind_j]/r)^6'

/** The mixture of Kob and Andersen, where unlike pairs follow no mixing rule. */
const mixture = pairPotential(energyText, {
  name: 'mixture',
  tables: {
    epsilon: mixedTable([1, 0.5], 'geometric', [[0, 1, 1.5]]),
    sigma: mixedTable([1, 0.88], 'arithmetic', [[0, 1, 0.8]]),
  },
  inertia: 'mass',
})()

function mixtures(): readonly Case[] {
  const pair = (a: number, b: number, distance: number) => ({
    position: Float64Array.of(0, 0, 0, distance, 0, 0),
    kind: Float64Array.of(a, b),
  })
  // At sigma the energy is 0 and the force 24 epsilon/sigma.
  const at = (a: number, b: number, epsilon: number, sigma: number): Case => ({
    name: `tables: two atoms of kinds ${a} and ${b} touch`,
    workload: forces(mixture),
    particles: pair(a, b, sigma),
    closedForm: { force: Float64Array.of((-24 * epsilon) / sigma, 0, 0, (24 * epsilon) / sigma, 0, 0) },
    steep: true,
  })
  const [cells, box] = [
    [5, 5, 5],
    [6.5, 6.5, 6.5],
  ]
  const cutoff = 2.5
  const atoms = {
    position: liquid(cells, 1.3, { count: 125, seed: 8, avoid: [cutoff], box }),
    kind: kindsOf(125, 2),
    mass: randomOf(9).array(125, 0.5, 2),
  }
  const near = { cutoff }
  const boxed = { ...near, boundary: periodic(box) }
  const one = (name: string, workload: Case['workload']): Case => ({
    name: `tables: ${name} of a mixture`,
    workload,
    particles: atoms,
    steep: true,
  })
  return [
    ...[at(0, 0, 1, 1), at(0, 1, 1.5, 0.8), at(1, 0, 1.5, 0.8), at(1, 1, 0.5, 0.88)],
    one('forces', forces(mixture)),
    one('accelerations', accelerations(mixture)),
    one('forces within a cutoff', forces(mixture, near)),
    one('accelerations in a box', accelerations(mixture, boxed)),
    one('shifted potentials', potentials(mixture, { ...near, shift: true })),
    one('energy', energy(mixture, { ...near, switchDistance: 2 })),
    one('virial', virial(mixture)),
    {
      name: 'tables: a force that is not reciprocal',
      workload: forces(
        pairForce('a[kind_i, kind_j]*exp(-r2)', {
          name: 'life',
          tables: {
            a: [
              [1, -0.5, 0.2],
              [0.8, -1, 0.3],
              [-0.1, 0.4, 0.6],
            ],
          },
        })(),
      ),
      particles: { position: cloud({ count: 129, seed: 10 }), kind: kindsOf(129, 3) },
    },
  ]
}

function loops(): readonly Case[] {
  const particles = { position: cloud({ count: 66, seed: 11, apart: 0.05 }), kind: kindsOf(66, 5) }
  const table = Array.from({ length: 5 }, (_, n) => Array.from(randomOf(20 + n).array(5, 0.5, 2)))
  const law = term('a[kind_i, kind_j]/(0.5 + r2)', { a: table })
  const one = (name: string, workload: Case['workload']): Case => ({ name: `tables: ${name}`, workload, particles })
  return [
    one('a matrix', matrix(law)),
    one('the least term', reduce('min', law)),
    one('the source of the largest term', reduce('argmax', law)),
    one('a logarithm of a sum', reduce('logsumexp', law)),
    one('a matrix within a cutoff', matrix(law, { cutoff: 0.8 })),
    {
      ...one('in parts', sum(law)),
      parts: {
        targets: [
          [0, 20],
          [20, 66],
        ],
        sources: [
          [0, 30],
          [30, 66],
        ],
      },
    },
    one('with exclusions', sum(law, { exclusions: Array.from({ length: 60 }, (_, n) => [n, n + 1] as const) })),
    {
      name: 'tables: in the plane',
      workload: sum(law),
      particles: { dimension: 2, position: cloud({ count: 66, dimension: 2, seed: 12 }), kind: kindsOf(66, 5) },
    },
  ]
}

/** Other numbers, and other kinds, of one program. */
function changed(): readonly Case[] {
  const workload = sum(term('a[kind_i, kind_j] + b[kind_j, kind_i]', { a: wholes(3, 3), b: wholes(3, 3) }))
  const position = cloud({ count: 65, seed: 13 })
  const run = (kinds: number, seed: number) => {
    const random = randomOf(seed)
    const table = () => Array.from({ length: kinds }, () => Array.from(random.array(kinds, -1, 1)))
    return { workload, particles: { position, kind: kindsOf(65, kinds) }, tables: { a: table(), b: table() } }
  }
  return [
    {
      name: 'tables: other numbers and other shapes in each run',
      ...run(3, 14),
      again: [run(3, 15), run(7, 16), { workload, particles: run(3, 14).particles }, run(1, 17), run(40, 18)],
    },
  ]
}

/** Softening by the kinds decides whether coincident points count. */
function atContact(): readonly Case[] {
  const position = Float64Array.from({ length: 3 * 64 }, (_, n) => Math.floor(n / 6) % 8)
  const law = term('1/sqrt(r2 + soft[kind_i, kind_j]^2)', {
    soft: [
      [0.5, 0],
      [0, 0.25],
    ],
  })
  return [
    {
      name: 'tables: coincident points of some kinds count',
      workload: sum(law),
      particles: { position, kind: kindsOf(64, 2) },
    },
  ]
}
