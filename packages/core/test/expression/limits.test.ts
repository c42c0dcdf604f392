// Short texts that ask for a great deal of work: they end at once, with a result or with an error that says what is too much.

import { forces, map, pairPotential, pairTerm, stencil, sum } from '@manybody/core'
import { pairBody, parse, simplify, toText } from '@manybody/core/expression'
import { describe, expect, test } from 'vitest'

const chain = (levels: number, body: (next: string) => string, last: string) =>
  `d0; ${Array.from({ length: levels }, (_, n) => `d${n} = ${body(`d${n + 1}`)}`).join('; ')}; d${levels} = ${last}`
const doubled = (levels: number) => chain(levels, (d) => `sin(${d})*cos(${d})`, 'r')
const tower = (levels: number) => `${'(1 + r*'.repeat(levels)}r${')^1.5'.repeat(levels)}`
const scheduled = (text: string) =>
  pairBody(forces(pairPotential(text)()), { dimension: 3, sameSet: true }, { guard: false })

describe('texts that would expand to exponential size', () => {
  test.each([
    ['definitions doubled over 16 levels', () => forces(pairPotential(doubled(16))())],
    ['definitions doubled over 100 levels', () => map({ y: doubled(100).replaceAll('r;', 'q;') })],
    ['powers nested 20 deep', () => pairPotential(tower(20))()],
    ['powers nested 200 deep', () => pairPotential(tower(200))()],
    ['powers of definitions', () => pairPotential(chain(30, (d) => `(${d} + 1/${d})^2`, 'r2'))()],
    ['a force larger than its energy', () => scheduled(Array.from({ length: 200 }, (_, n) => `(r + ${n})`).join('*'))],
  ])('%s', (_, make) => {
    const error = (() => {
      try {
        make()
      } catch (thrown) {
        return thrown as Error
      }
      return undefined
    })()
    expect(error).toMatchObject({ name: 'ExpressionError' })
    expect(error?.message).toMatch(/numbers, names and operations once .* written out, expected at most 40000/)
    expect(error?.message.length).toBeLessThan(1000)
  })

  test('below the limit visit each shared node once, not once per use', () => {
    expect(scheduled(doubled(10)).loop.length).toBeLessThan(60)
  })
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
