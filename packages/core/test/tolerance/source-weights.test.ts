// The numbers of sources that a tree can add up: the result of the analysis of a law, against the values of its term. The number of
// weights of a law is the rank of the matrix of its terms, with a row for each source and a column for each target and
// distance.

import { symbolsOf, type Term, termOf, toText } from '@manybody/core/expression'
import type { SourceWeight } from '@manybody/core/far'
import { sourceWeights } from '@manybody/core/weights'
import { beforeEach, expect, it } from 'vitest'
import {
  accelerations,
  attributeSum,
  biotSavart,
  forces,
  gaussian,
  inversePower,
  lennardJones,
  pairForce,
  pairPotential,
  pairTerm,
  periodic,
  potentials,
  reduce,
  sum,
  virial,
} from '../../src/index.ts'
import { evaluate } from '../../src/language/evaluate.ts'
import type { PairWorkload } from '../../src/problem/workloads/workload.ts'
import { parametersIn, radialLaws, sampleOf } from '../support/laws.ts'
import { between, random as randomOf } from '../support/random.ts'

// Each test has the same numbers, whatever ran before.
let random = randomOf(8)
beforeEach(() => {
  random = randomOf(8)
})
type Numbers = Readonly<Record<string, number>>

const expressionsOf = (term: Term) => (term.form === 'radial' ? [term.coefficient] : term.components)
const valuesOf = (term: Term, values: Numbers) => expressionsOf(term).map((e) => evaluate(e, values))
const sided = (numbers: Numbers, side: string): Numbers =>
  Object.fromEntries(Object.entries(numbers).filter(([name]) => name.endsWith(side)))

/** Numbers for every name in a workload, other than those given. */
function completed(workload: PairWorkload, among = () => between(random, 0.5, 2)): Numbers {
  const [dx, dy, dz] = [0, 1, 2].map(() => between(random, -1, 1)) as [number, number, number]
  const names = expressionsOf(termOf(workload, 3)).flatMap((e) => [...symbolsOf(e)])
  const others = Object.fromEntries(names.map((name) => [name, among()]))
  return { ...others, ...workload.law.parameters, dx, dy, dz, r2: dx ** 2 + dy ** 2 + dz ** 2 }
}

/** The rank of a matrix. It changes the rows. */
function rankOf(rows: Float64Array[]): number {
  let rank = 0
  const largest = Math.max(...rows.flatMap((row) => [...row].map(Math.abs)))
  for (;;) {
    let [best, at, column] = [0, 0, 0]
    for (let r = rank; r < rows.length; r++)
      for (const [c, value] of (rows[r] as Float64Array).entries())
        if (Math.abs(value) > best) [best, at, column] = [Math.abs(value), r, c]
    if (best < 1e-11 * largest || rank === rows.length) return rank
    const pivot = rows[at] as Float64Array
    rows[at] = rows[rank] as Float64Array
    rows[rank] = pivot
    rank++
    for (const row of rows.slice(rank)) {
      const share = (row[column] as number) / (pivot[column] as number)
      for (const [c, value] of pivot.entries()) row[c] = (row[c] as number) - share * value
    }
  }
}

/** The rank of the terms of 14 sources with 24 targets. */
function rankOfTerms(workload: PairWorkload, values: () => Numbers): number {
  const term = termOf(workload, 3)
  const targets = Array.from({ length: 24 }, values)
  const sources = Array.from({ length: 14 }, () => sided(values(), '_j'))
  return rankOf(sources.map((j) => Float64Array.from(targets.flatMap((i) => valuesOf(term, { ...i, ...j })))))
}

/** The largest difference between the term and the separated term, relative to the size of the term. */
function differenceOf(workload: PairWorkload, values: () => Numbers): number {
  const found = sourceWeights(workload, 3)
  if (!found.ok) throw new Error(found.reason)
  let most = 0
  for (let n = 0; n < 20; n++) {
    const all = values()
    const weights = found.weights.map(({ attribute, value }) => [`${attribute}_j`, evaluate(value, all)])
    const separated = valuesOf(found.term, { ...withoutSources(all), ...Object.fromEntries(weights) })
    const expected = valuesOf(termOf(workload, 3), all)
    const scale = Math.hypot(...expected)
    for (const [c, value] of expected.entries()) most = Math.max(most, Math.abs(value - (separated[c] ?? 0)) / scale)
  }
  return most
}
const withoutSources = (all: Numbers): Numbers =>
  Object.fromEntries(Object.entries(all).filter(([name]) => !name.endsWith('_j')))

const texts = (weights: readonly SourceWeight[]) => weights.map(({ value }) => toText(value)).sort()

/** The weights of the built-in laws with radial forces. */
const expected: Readonly<Record<string, readonly string[]>> = {
  gravity: ['mass_j'],
  coulomb: ['charge_j'],
  'lennard-jones-alike': ['1'],
  'lennard-jones-geometric': ['sqrt(epsilon_j) * sigma_j^3', 'sqrt(epsilon_j) * sigma_j^6'],
  yukawa: ['charge_j'],
  morse: ['1'],
  buckingham: ['1'],
  gaussian: ['weight_j'],
  'inverse-power-1': ['weight_j'],
  'inverse-power-2': ['weight_j'],
  'inverse-power-3': ['weight_j'],
  'inverse-power-6': ['weight_j'],
}

it.each(radialLaws.filter(({ law }) => law.law !== 'lennard-jones'))('finds the weights of $law.law', ({ law }) => {
  for (const workload of [accelerations, forces, potentials, virial].map((of) =>
    of(law(parametersIn(law, sampleOf(law, random)))),
  )) {
    const values = () => {
      const sample = sampleOf(law, random)
      return { ...sample, ...workload.law.parameters, r2: (sample.r as number) ** 2 }
    }
    const found = sourceWeights(workload, 3)
    expect(found.ok && texts(found.weights)).toEqual(expected[law.law])
    expect(differenceOf(workload, values)).toBeLessThan(1e-12)
    expect(rankOfTerms(workload, values)).toBe(expected[law.law]?.length)
  }
})

const typed: readonly (readonly [name: string, workload: PairWorkload, weights: readonly string[]])[] = [
  ['none', sum(pairTerm('exp(-r2)*p_i')()), ['1']],
  ['a vector', sum(biotSavart({ softening: 0.1 })), ['wx_j', 'wy_j', 'wz_j']],
  ['an attribute beside none', sum(attributeSum()), ['1', 'p_j']],
  ['a direction', forces(pairForce({ x: 'q_j*dx*dy', y: 'q_j*dz', z: 'q_j*dx/r' }, { name: 'twisted' })()), ['q_j']],
  ['a square of a difference', sum(pairTerm('(q_i - q_j)^2*exp(-r)')()), ['1', 'q_j', 'q_j^2']],
  ['a sum of attributes', sum(pairTerm('(a_j + b_j)*log(1 + 1/r)*a_i')()), ['a_j + b_j']],
  ['a product', sum(pairTerm('a_j*b_j/(r2 + a_i^2)')()), ['a_j * b_j']],
  ['a function of the source', sum(pairTerm('exp(-a_j)*tanh(r)*exp(-a_i*r)')()), ['exp(-a_j)']],
  ['a root of a product', sum(pairTerm('sqrt(a_i*a_j)/r')()), ['sqrt(abs(a_j))']],
  ['a quotient', sum(pairTerm('a_j/(b_j*r)')()), ['a_j / b_j']],
  ['a size', sum(pairTerm('abs(q_j*dx)')()), ['abs(q_j)']],
  ['a choice by distance', sum(pairTerm('select(r2 < 1, q_j*r2, q_j/r2 + a_j)')()), ['a_j', 'q_j']],
  ['a parameter in a sum', sum(pairTerm('(a_j + c)*dx', { parameters: { c: 0.3 } })()), ['a_j + c']],
  ['a dipole', potentials(pairPotential('-(ux_j*dx + uy_j*dy + uz_j*dz)/r^3')()), ['ux_j', 'uy_j', 'uz_j']],
]

it.each(typed)('finds %s among what sources have', (_, workload, weights) => {
  const found = sourceWeights(workload, 3)
  expect(found.ok && texts(found.weights)).toEqual(weights)
  expect(differenceOf(workload, () => completed(workload))).toBeLessThan(1e-12)
  expect(rankOfTerms(workload, () => completed(workload))).toBe(weights.length)
})

it('names weights after their attributes, and gives other weights unused names', () => {
  const found = sourceWeights(sum(pairTerm('a_j*b_j/(r2 + weight1_i) + c_j*dx')()), 3)
  expect(found.ok && found.weights.map(({ attribute }) => attribute).sort()).toEqual(['c', 'weight2'])
})

const notLinear: readonly (readonly [PairWorkload, reason: string])[] = [
  [
    sum(pairTerm('exp(-r/size_j)')()),
    'the term of exp(-r/size_j) is not linear in functions of the source: "exp(-(sqrt(r2) / size_j))" mixes size_j with r2, so far sources cannot be added up; use a cutoff',
  ],
  [
    sum(pairTerm('q_j/(r2 + (a_i + a_j)^2)', { name: 'softened' })()),
    'the term of softened is not linear in functions of the source: "1 / ((a_i + a_j)^2 + r2)" mixes a_j with a_i, r2, so far sources cannot be added up; use a cutoff',
  ],
  [
    sum(pairTerm('max(q_j, q_i)*dx')()),
    'the term of max(q_j, q_i)*dx is not linear in functions of the source: "max(q_j, q_i)" mixes q_j with q_i, so far sources cannot be added up; use a cutoff',
  ],
]

it.each(notLinear)(
  'refuses a law whose terms do not separate into few weights, and says what to do',
  (workload, reason) => {
    expect(sourceWeights(workload, 3)).toEqual({ ok: false, reason })
    // A smooth function of numbers that are close together has few terms that float64 can tell apart.
    const wide = () => 10 ** between(random, -2, 2)
    expect(rankOfTerms(workload, () => completed(workload, wide))).toBeGreaterThan(8)
  },
)

it.each([
  [reduce('max', gaussian()), 'a tree approximates sums, not "max"; leave out the tree'],
  [
    forces(inversePower(), { cutoff: 2 }),
    'a cutoff leaves out far points exactly, and needs no tree; leave out one of the two',
  ],
  [
    forces(inversePower(), { boundary: periodic([1, 1, 1]) }),
    'in a periodic box the term of a pair jumps where the nearest image changes, and no tree can follow; use a cutoff',
  ],
])('refuses anything but a sum over all of open space', (workload, reason) => {
  expect(sourceWeights(workload, 3)).toEqual({ ok: false, reason })
})

it('refuses a law with more weights than proxies are worth', () => {
  const reason =
    'the force of lennard-jones needs 13 numbers of each source that can be added up, and a tree takes at most 8; use a cutoff'
  expect(sourceWeights(forces(lennardJones()), 3)).toEqual({ ok: false, reason })
})
