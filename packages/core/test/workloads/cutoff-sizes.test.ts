// The sizes of points in cutoffs of pairs: no pair reaches farther than its two sizes, and contact of circles has their radii. The usual reach.

import { expect, test } from 'vitest'
import { evaluate, evaluateInSteps } from '../../src/language/evaluate.ts'
import { schedule } from '../../src/language/schedule.ts'
import { pairTerm } from '../../src/problem/interactions/define.ts'
import { bind } from '../../src/problem/workloads/bind-given.ts'
import { rateOf } from '../../src/problem/workloads/bodies/rates.ts'
import { cutoffOfPairs } from '../../src/problem/workloads/cutoff.ts'
import { cutoffSizes } from '../../src/problem/workloads/cutoff-sizes.ts'
import { sizesOfKinds } from '../../src/problem/workloads/kind-sizes.ts'
import { countWithin, nearest, sum } from '../../src/problem/workloads/pair.ts'
import { roomsOfKinds } from '../../src/problem/workloads/table-sizes.ts'
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
    const longest = { k, cutoff: Number.POSITIVE_INFINITY }
    const [own, other] = [evaluate(target, { a_i: a, ...longest }), evaluate(source, { b_j: b, ...longest })]
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
  const given = { k: 2, cutoff: 100 }
  expect(evaluate(sizes.target, { radius_i: 0.25, ...given })).toBeCloseTo(own, 3)
  expect(evaluate(sizes.source, { radius_j: 3, ...given })).toBeCloseTo(other, 3)
})

test('a size without a value, or a larger one, is the longest reach', () => {
  const { target } = cutoffSizes(within('min(a_i + b_j, sqrt(a_i))')) ?? {}
  if (!target) throw new Error('expected sizes')
  for (const a_i of [-1, Number.NaN, 1e300]) expect(evaluate(target, { a_i, cutoff: 3 }), `${a_i}`).toBeCloseTo(3, 3)
  expect(evaluate(target, { a_i: 1, cutoff: 3 })).toBeCloseTo(1, 3)
})

/** A number as devices keep it that have no subnormal ones. */
const flushed = (x: number) => (Math.abs(x) < 2 ** -126 ? 0 : Math.fround(x))

test.each([1e-25, 1, 1e25])('a product of numbers near %d has sizes whose squares float32 holds', (unit) => {
  const { target, source } = cutoffSizes(within('k*a_i*b_j')) ?? {}
  if (!target || !source) throw new Error('expected sizes')
  // The host computes what depends on the run alone.
  const scheduled = schedule([target, source], { rateOf, roots: 'sqrt' })
  const run = scheduled.run.map(({ name, expr }) => [name, evaluate(expr, { k: unit ** -2, cutoff: 100 })])
  const given = { ...Object.fromEntries(run), a_i: unit, b_j: unit }
  const sizes = [...scheduled.target, ...scheduled.source].map(({ expr }) => evaluateInSteps(expr, given, flushed))
  expect(sizes).toEqual([expect.closeTo(0.5, 3), expect.closeTo(0.5, 3)])
})

/** Tables with signs, and without a form. */
const anyTable = (rows: number, columns: number) =>
  Array.from({ length: rows }, () => Array.from({ length: columns }, () => 4 * random() - 1))
const symmetricTable = (kinds: number) => {
  const half = anyTable(kinds, kinds)
  return half.map((row, k) => row.map((x, l) => (k < l ? x : (half[l]?.[k] as number))))
}

test.each([
  ['size[kind_i] + size[kind_j]', 3],
  ['2 - size[kind_i] - 0.5*size[kind_j]', 30],
  ['a_i*size[kind_j] + size[kind_i]^2', 64],
  ['even[kind_i, kind_j]', 3],
  ['even[kind_i, kind_j]', 70],
  ['-2*even[kind_i, kind_j] + a_i + 1', 5],
  ['a_i + k*odd[kind_i, colour_j]', 9],
  ['odd[kind_j, colour_i]', 70],
  ['max(min(even[kind_i, kind_j], 1), abs(odd[kind_i, colour_j]))', 4],
])('no pair reaches farther than its sizes within %s, with %d kinds', (text, kinds) => {
  const tables = (n: number) => ({
    size: Array.from({ length: n }, () => random()),
    even: symmetricTable(n),
    odd: anyTable(n, 5),
  })
  const workload = sum(pairTerm('1', { parameters, tables: tables(kinds) })(), { cutoff: text })
  const cutoff = cutoffOfPairs(workload)
  const sizes = cutoffSizes(workload)
  if (!cutoff || !sizes) throw new Error('expected sizes')
  // Runs may bring other kinds.
  for (const n of [kinds, 1, 2 * kinds]) {
    const own = tables(n)
    const { parameters: ofKinds, exact } = sizesOfKinds(roomsOfKinds(sizes), own)
    expect(exact).toBe(!text.includes('size') || n <= Math.max(32, kinds))
    if (!exact) continue
    for (let tries = 0; tries < 200; tries++) {
      const [a, b] = [Math.floor(n * random()), Math.floor(n * random())]
      const [c, d] = [Math.floor(5 * random()), Math.floor(5 * random())]
      const numbers = { a_i: random(), k: random() - 0.5, kind_i: a, kind_j: b, colour_i: c, colour_j: d }
      const entries = {
        'size[kind_i]': own.size[a],
        'size[kind_j]': own.size[b],
        'even[kind_i, kind_j]': own.even[a]?.[b],
        'odd[kind_i, colour_j]': own.odd[a]?.[d],
        'odd[kind_j, colour_i]': own.odd[b]?.[c],
      } as Readonly<Record<string, number>>
      const longest = { ...numbers, ...ofKinds, cutoff: Number.POSITIVE_INFINITY }
      const both = evaluate(sizes.target, longest) + evaluate(sizes.source, longest)
      expect(both).toBeGreaterThanOrEqual(evaluate(cutoff, { ...numbers, ...entries }))
    }
  }
})

test('the sizes of a table of sums are its summands, also in one set, and unlike kinds share their reach', () => {
  const radii = [0.25, 1, 5]
  const sums = radii.map((a) => radii.map((b) => a + b))
  const apart = radii.map((_, n) => radii.map((__, m) => (n === m ? 0 : 3)))
  const ofTable = (table: number[][], cutoff = 'reach[kind_i, kind_j]') => {
    const workload = sum(pairTerm('1', { tables: { reach: table } })(), { cutoff })
    const sizes = cutoffSizes(workload)
    if (!sizes) throw new Error('expected sizes')
    const { parameters: ofKinds } = sizesOfKinds(roomsOfKinds(sizes), { reach: table })
    const given = { ...ofKinds, cutoff: 100 }
    // A kind that the table does not have is its last.
    return [0, 1, 2, 7, 30].map((kind) => [
      evaluate(sizes.target, { kind_i: kind, form_i: kind, ...given }),
      evaluate(sizes.source, { kind_j: kind, ...given }),
    ])
  }
  for (const [n, [own, other]] of ofTable(sums).entries()) {
    const radius = radii[Math.min(n, 2)] as number
    expect([own, other]).toEqual([expect.closeTo(radius, 3), expect.closeTo(radius, 3)])
  }
  for (const sizes of ofTable(apart)) expect(sizes).toEqual([expect.closeTo(1.5, 3), expect.closeTo(1.5, 3)])
  const across = radii.map((a) => radii.slice(0, 2).map((b) => 2 * a + b))
  const [[first = 0, second = 0] = [], [third = 0, fourth = 0] = []] = ofTable(across, 'reach[form_i, kind_j]')
  expect([first + second, first + fourth, third + second, third + fourth]).toEqual(
    across
      .slice(0, 2)
      .flat()
      .map((x) => expect.closeTo(x, 3)),
  )
})

test('numbers, tables by two kinds of one point and entangled attributes have no sizes', () => {
  const typed = pairTerm('1', { tables: { size: anyTable(2, 2) } })()
  for (const workload of [
    countWithin(2),
    within('k/2'),
    within('(radius_i + radius_j)^2'),
    within('1/(radius_i + radius_j)'),
    sum(typed, { cutoff: 'size[kind_i, form_i] + size[kind_i, kind_j]' }),
    sum(typed, { cutoff: 'size[kind_i, kind_j]^2' }),
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

test.each([
  ['k*(radius_i + radius_j)', true],
  ['min(radius_i + radius_j, sqrt(q_j))', false],
  ['min(3, select(q_j > 0, radius_i + sqrt(q_j), radius_i + radius_j))', false],
  ['min(radius_i + radius_j, sqrt(abs(q_j)))', true],
  ['radius_i + radius_j + 0*big_i*big_j', true],
  // Of float32, the square of a side is infinite, or an intermediate product is.
  ['radius_i + radius_j + zero*big_i*big_j', true],
  ['radius_i + radius_j + zero*big_i^2*big_j', false],
  ['radius_i + radius_j + tiny*(big_i*big_j)^2', false],
  // The first two factors may be 0 before the others enlarge them.
  ['radius_i + radius_j + tiny^0.5*radius_j*sqrt(big_j)*(big_j + 1)/1e14', false],
  ['radius_i + radius_j + tiny^0.5*radius_j*sqrt(big_j)', true],
  // A constant that float32 does not hold.
  ['radius_i + radius_j + tiny*tiny*radius_j', false],
  ['radius_i + radius_j + tiny*tiny/(tiny*tiny)*radius_j', true],
])('pairs within %s are looked for by sizes: %s', (text, bySizes) => {
  const parameters = { k: 2, zero: 0, tiny: 1e-30 }
  const points = {
    dimension: 2 as const,
    position: new Float64Array(2 * count),
    radius: Float64Array.from({ length: count }, (_, n) => (n % 100 ? 0.1 : 2)),
    q: Float64Array.from({ length: count }, (_, n) => -1 - n / count),
    big: new Float64Array(count).fill(1e20),
  }
  const { bindings } = bind(countWithin(text, { parameters }), points)
  expect(Object.hasOwn(bindings.parameters, usualCutoff)).toBe(bySizes)
})
