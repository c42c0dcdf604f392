// Short texts that would be very long if they were written out: they end at once, with a result or with an error that says what is too much.

import {
  ExpressionError,
  energy,
  forces,
  map,
  pairPotential,
  pairTerm,
  stencil,
  sum,
  type Workload,
} from '@manybody/core'
import { pairBody, parse, simplify, toText } from '@manybody/core/expression'
import { describe, expect, test } from 'vitest'
import { referenceEngine } from '../support/reference-engine.ts'

const chain = (levels: number, body: (next: string) => string, last: string) =>
  `d0; ${Array.from({ length: levels }, (_, n) => `d${n} = ${body(`d${n + 1}`)}`).join('; ')}; d${levels} = ${last}`
const doubled = (levels: number) => chain(levels, (d) => `sin(${d})*cos(${d})`, 'r')
const positive = (d: string) => `1/(${d} + 1) + 1/(${d} + 2)`
const tower = (levels: number) => `${'(1 + r*'.repeat(levels)}r${')^1.5'.repeat(levels)}`
const scheduled = (text: string) =>
  pairBody(forces(pairPotential(text)()), { dimension: 3, sameSet: true }, { guard: false })

/** Chebyshev's polynomial of a degree, `cos(degree*acos(x))`, by its recurrence. */
const chebyshev = (degree: number, x: string) =>
  Array.from({ length: degree - 1 }, (_, n) => `t${n + 2} = 2*x*t${n + 1} - t${n}`).reduce(
    (text, definition) => `${text}; ${definition}`,
    `t${degree}; x = ${x}; t1 = x; t0 = 1`,
  )

describe('texts that would expand to exponential size are computed part by part', () => {
  const position = [0, 0, 0, 0.3, 0, 0]
  const q = [0.4, 0.9]

  test.each<[string, Workload]>([
    ['definitions doubled over 16 levels', forces(pairPotential(doubled(16))())],
    ['definitions doubled over 100 levels', forces(pairPotential(doubled(100))())],
    [
      'a logarithm of definitions that are never negative',
      forces(pairPotential(chain(60, positive, 'r').replace('d0;', 'log(d0);'))()),
    ],
    ['powers nested 200 deep', energy(pairPotential(tower(200).replaceAll('r', '0.1*r'))())],
    ['powers of definitions', sum(pairTerm(chain(30, (d) => `1/(${d} + 1/${d})^2`, 'r2'))())],
  ])('%s', async (_, workload) => {
    const engine = await referenceEngine()
    expect(await engine.run(workload, { position })).toBeDefined()
  })

  test('in a map', async () => {
    const engine = await referenceEngine()
    const { y } = await engine.run(map({ y: doubled(100).replace(/r$/, 'q') }), { q })
    expect(y[0]).toBeGreaterThan(0)
  })

  test.each(['q_i', 'q_j'])('of %s', async (x) => {
    const engine = await referenceEngine()
    const term = pairTerm(chebyshev(40, x).replace('t40;', 'r2*t40;'))()
    const { value } = await engine.run(sum(term), { position, q })
    const expected = q.map((own) => 0.09 * Math.cos(40 * Math.acos(own)))
    for (const [n, one] of (x === 'q_i' ? expected : expected.toReversed()).entries())
      expect(value[n]).toBeCloseTo(one, 12)
  })

  test('with their slopes', async () => {
    const engine = await referenceEngine()
    const { force } = await engine.run(forces(pairPotential(chebyshev(40, '2*r - 1'))()), { position })
    const angle = Math.acos(2 * 0.3 - 1)
    // Sums of a recurrence that reads two members cancel, as the values do.
    expect(force[0]).toBeCloseTo((2 * 40 * Math.sin(40 * angle)) / Math.sin(angle), 8)
  })

  test('in a loop that visits each shared node once, not once per use', () => {
    for (const levels of [10, 60]) expect(scheduled(doubled(levels)).loop.length).toBeLessThan(6 * levels)
  })
})

test('a force with too many operations is an error', () => {
  const make = () => scheduled(Array.from({ length: 200 }, (_, n) => `(r + ${n})`).join('*'))
  expect(make).toThrow(ExpressionError)
  expect(make).toThrow(/the force has \d+ numbers, names and operations, expected at most 40000; write it with fewer/)
})

describe('large powers stay powers', () => {
  test.each(['r2^1e15', 'r2^-1e15', 'r2^1e308', 'r2^65', 'r^129.5'])('%s', (text) => {
    const body = pairBody(sum(pairTerm(text)()), { dimension: 3, sameSet: true }, { guard: false })
    expect(body.terms.map(toText).join()).toMatch(/pow\(|\^/)
    expect(body.loop.length).toBeLessThan(5)
  })

  test('usual powers are multiplied out', () => {
    const body = pairBody(sum(pairTerm('r2^6')()), { dimension: 3, sameSet: true }, { guard: false })
    expect(body.terms.map(toText).join()).not.toContain('^')
  })
})

test('long texts that differ only near the end are different', () => {
  const long = (last: string) => `${Array.from({ length: 100 }, (_, n) => `sin(x + ${n})`).join('*')}*exp(${last})`
  const difference = (a: string, b: string) => simplify(parse(`${long(a)} - ${long(b)}`, { names: ['x', 'y'] }))
  expect(toText(difference('x', 'x'))).toBe('0')
  expect(toText(difference('x', 'y')).length).toBeGreaterThan(2000)
})

describe('too many expressions for a device', () => {
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`c${n}`, '1']))
  test.each([
    ['term', () => pairTerm(many(257))],
    ['outputs', () => map(many(257))],
    ['outputs', () => map({ all: Array<string>(257).fill('q') })],
    ['outputs', () => stencil(many(2000), { cells: [4, 4], spacing: 1 })],
  ])('%s', (what, make) => {
    expect(make).toThrow(new RegExp(`"${what}" expected at most 256 expressions, got (257|2000)`))
  })
  test('are more than 256', () => {
    expect(Object.keys(pairTerm(many(256))().expressions)).toHaveLength(256)
  })
})

test('a message shows the place of a fault, without megabytes around it', () => {
  const blank = ' '.repeat(1e6)
  for (const text of [`${blank}r +${blank}`, `${'x'.repeat(1e6)}`, `r${blank}*${blank}?${blank}r`]) {
    try {
      pairPotential(text)
      expect.unreachable()
    } catch (error) {
      expect((error as Error).message.length).toBeLessThan(3000)
    }
  }
})
