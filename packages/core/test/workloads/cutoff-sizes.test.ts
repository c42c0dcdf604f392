// The sizes of points in cutoffs of pairs: no pair reaches farther than its two sizes, and contact of circles has their radii. The usual reach.

import { expect, test } from 'vitest'
import { evaluate } from '../../src/language/evaluate.ts'
import { pairTerm } from '../../src/problem/interactions/define.ts'
import { bind } from '../../src/problem/workloads/bind-given.ts'
import { cutoffOfPairs } from '../../src/problem/workloads/cutoff.ts'
import { cutoffSizes } from '../../src/problem/workloads/cutoff-sizes.ts'
import { countWithin, nearest, sum } from '../../src/problem/workloads/pair.ts'
import { reachesVary, usualCutoff } from '../../src/problem/workloads/usual-cutoff.ts'
import { random as randomOf } from '../support/random.ts'

const random = randomOf(11)
const parameters = { k: 1 }
const within = (cutoff: string) => countWithin(cutoff, { parameters })

test.each([
  'a_i + b_j',
  '2*a_i',
  'b_j^2',
  'max(a_i, b_j)',
  'k*max(a_i, b_j)',
  'k*(a_i - 2*b_j)',
  '-k*min(a_i, b_j)',
  '-2*max(a_i, b_j)',
  '-2*min(a_i + b_j, 3)',
  '3*abs(a_i - b_j)',
  '-0.5*abs(a_i - b_j) + a_i + b_j',
  'sqrt(a_i*b_j)',
  'k*sqrt(a_i*b_j)',
  '-sqrt(a_i*b_j) + 2',
  '(a_i/b_j)^3',
  '-(a_i/b_j)^3',
  'a_i*b_j',
  'a_i*(1 + b_j)',
  'select(a_i < b_j, a_i, 2*b_j)',
  '-2*select(a_i < b_j, a_i, 2*b_j)',
  '5 - a_i - b_j',
  'min(a_i + 1, b_j)',
  '1000 + a_i - (999 + b_j)',
])('no pair reaches farther than its sizes within %s', (text) => {
  const workload = within(text)
  const cutoff = cutoffOfPairs(workload)
  const { target, source } = cutoffSizes(workload) ?? {}
  if (!cutoff || !target || !source) throw new Error('expected sizes')
  for (let n = 0; n < 500; n++) {
    const signed = () => (random() - (n % 2) / 2) * 10 ** (2 * random() - 1)
    // Roots need numbers above 0.
    const [a, b] = text.includes('sqrt') ? [random(), random()] : [signed(), signed()]
    const k = n % 3 ? random() : -random()
    const [own, other] = [evaluate(target, { a_i: a, k }), evaluate(source, { b_j: b, k })]
    expect(Math.min(own, other)).toBeGreaterThanOrEqual(0)
    expect(own + other).toBeGreaterThanOrEqual(evaluate(cutoff, { a_i: a, b_j: b, k }))
  }
})

test.each([
  ['radius_i + radius_j', 0.25, 3],
  ['2*radius_j', 0, 6],
  ['k*(radius_i + 0.5*radius_j)', 0.5, 3],
  ['max(radius_i, radius_j)', 0.25, 3],
  ['2*min(radius_i, radius_j)', 0.25, 3],
  ['2*sqrt(radius_i*radius_j)', 0.25, 3],
])('%s has the sizes %d and %d for radii 0.25 and 3', (text, own, other) => {
  const sizes = cutoffSizes(within(text))
  if (!sizes) throw new Error('expected sizes')
  const k = 2
  expect(evaluate(sizes.target, { radius_i: 0.25, k })).toBeCloseTo(own, 3)
  expect(evaluate(sizes.source, { radius_j: 3, k })).toBeCloseTo(other, 3)
})

test('numbers, tables and entangled attributes have no sizes', () => {
  const typed = pairTerm('1', { tables: { size: [1, 2] } })()
  for (const workload of [
    countWithin(2),
    within('k/2'),
    within('(radius_i + radius_j)^2'),
    within('1/(radius_i + radius_j)'),
    sum(typed, { cutoff: 'size[kind_i] + size[kind_j]' }),
  ])
    expect(cutoffSizes(workload)).toBeUndefined()
})

const count = 4000
const numbersFor = (radius: Float64Array, text = 'radius_i + radius_j') =>
  bind(within(text), { dimension: 2, position: new Float64Array(2 * count), radius }).bindings.parameters

test('pairs of equal points reach alike, and those of most points not as far as the longest', () => {
  const equal = numbersFor(new Float64Array(count).fill(0.5))
  expect([equal[usualCutoff], reachesVary(equal)]).toEqual([undefined, false])
  const nearly = numbersFor(Float64Array.from({ length: count }, () => 0.5 - 0.05 * random()))
  expect(reachesVary(nearly)).toBe(false)
  const wide = numbersFor(Float64Array.from({ length: count }, () => 1000 ** -random()))
  expect(reachesVary(wide)).toBe(true)
  // The mean over blocks of the square of a sum of two sizes, by the integrals of these radii.
  expect(wide[usualCutoff]).toBeGreaterThan(0.5)
  expect(wide[usualCutoff]).toBeLessThan(1)
  // No point that is looked at is the one with a size.
  const one = numbersFor(Float64Array.from({ length: count }, (_, n) => Number(n === 1)))
  expect(one[usualCutoff]).toBeCloseTo((one.cutoff as number) / 256)
  // The nearest are looked for within the longest reach.
  const sized = { position: [0, 0, 0, 1, 0, 0, 2, 0, 0], radius: [1, 0.1, 0.01] }
  expect(bind(nearest(1, { cutoff: '2*radius_j' }), sized).bindings.parameters).not.toHaveProperty([usualCutoff])
  const asymmetric = numbersFor(
    Float64Array.from({ length: count }, (_, n) => 1 + (n % 2)),
    '2*radius_j',
  )
  expect(asymmetric[usualCutoff]).toBeCloseTo(Math.sqrt((4 + 16) / 2), 3)
})
