// Errors of sums: systematic parts add up, and random parts cancel, unless roundings repeat.

import { describe, expect, test } from 'vitest'
import { parse } from '../../src/language/parse.ts'
import { accumulationError } from '../../src/truth/error-analysis/accumulation.ts'
import { arithmeticOf } from '../../src/truth/error-analysis/arithmetic.ts'
import { distanceFrom } from '../../src/truth/error-analysis/judging.ts'
import { totalOf } from '../../src/truth/error-analysis/losses.ts'
import { repeatsIn } from '../../src/truth/error-analysis/repeats.ts'
import { boundOf } from '../../src/truth/error-analysis/sums.ts'
import { tapeOf } from '../../src/truth/error-analysis/tape/tape.ts'
import { numbersBetween, random } from '../support/random.ts'

const u = 2 ** -24
const processor = arithmeticOf({ precision: 'f32', kind: 'cpu' })
const graphics = arithmeticOf({ precision: 'f32', kind: 'hardware' })
const none = { largest: 0, systematic: 0, random: 0 }

// Folds ask for it at each pair, and to compile it takes as long as a thousand pairs.
test('the error of a function is compiled once', () => {
  expect(graphics.local('sqrt')).toBe(graphics.local('sqrt'))
  expect(graphics.local('sqrt')).not.toBe(graphics.local('divide'))
})

describe('the bound of a sum', () => {
  test('adds systematic errors, and six deviations of random ones', () => {
    const terms = { largest: 1000, systematic: 10, random: Math.sqrt(1000) }
    expect(boundOf(terms, none)).toBeCloseTo(10 + (6 / Math.sqrt(3)) * Math.sqrt(1000), 10)
    expect(boundOf(terms, { ...none, systematic: 5, largest: 5 })).toBeCloseTo(15 + 6 * Math.sqrt(1000 / 3), 10)
  })

  test('is at most the sum of all errors', () => {
    const pair = { largest: 2, systematic: 0, random: Math.SQRT2 }
    expect(boundOf(pair, none)).toBe(2)
    expect(boundOf(pair, pair)).toBe(4)
  })

  test('is infinite if an error is', () => {
    const unknown = { largest: Number.POSITIVE_INFINITY, systematic: Number.POSITIVE_INFINITY, random: 0 }
    expect(boundOf(unknown, none)).toBe(Number.POSITIVE_INFINITY)
  })
})

describe('the parts of an error', () => {
  const about = { x: { roundings: ['x'] }, y: { roundings: ['y'] } }
  function partsOf(text: string, arithmetic = processor, x = 3, y = 5) {
    const tape = tapeOf([parse(text, { names: ['x', 'y', 'p'] })], ['x', 'y', 'p'], arithmetic, about)
    for (const [n, value] of [x, y, 0.7].entries()) tape.values[n] = value
    for (const n of [0, 1]) tape.errors[n] = tape.random[n] = u * (tape.values[n] as number)
    tape.errors[2] = tape.systematic[2] = u * 0.7
    tape.run()
    const [at = 0] = tape.outputs
    const [value, e, s, r] = [tape.values, tape.errors, tape.systematic, tape.random].map((c) => c[at] as number) as [
      number,
      number,
      number,
      number,
    ]
    return [e, s, r].map((part) => Math.round((100 * part) / (u * Math.abs(value))) / 100)
  }

  test.each([
    // Two operands and the rounding: as squares, unless both share a rounding.
    ['x*y', [3, 0, 1.73]],
    ['x + y', [2, 0, 1.24]],
    ['x*x*y', [5, 0, 2.65]],
    // The error of a parameter is the same for all pairs.
    ['p*x', [3, 1, 1.41]],
    ['p*p', [3, 3, 0]],
    // A root halves the error of its operand. That of a GPU may be off in one direction.
    ['sqrt(x)', [1.5, 0, 1.12]],
  ])('of %s', (text, parts) => {
    expect(partsOf(text)).toEqual(parts)
  })

  test('what depends on parameters alone is computed in float64 and rounded once', () => {
    const known = { p: { perRun: true }, q: { perRun: true } }
    const partsWith = (text: string, about = {}) => {
      const tape = tapeOf([parse(text, { names: ['p', 'q'] })], ['p', 'q'], processor, about)
      tape.values.set([0.7, 1.3])
      for (const n of [0, 1]) tape.errors[n] = tape.systematic[n] = processor.stored(tape.values[n] as number)
      tape.run()
      return (tape.errors[tape.outputs[0] as number] as number) / u
    }
    const value = Math.tan(Math.exp(0.7) * 1.3)
    expect(partsWith('tan(exp(p)*q)', known)).toBeCloseTo(Math.abs(Math.fround(value) - value) / u, 6)
    expect(partsWith('tan(exp(p)*q)')).toBeGreaterThan(10)
  })

  test('a product with 1 is exact if the 1 is', () => {
    expect(partsOf('x*1')[0]).toBe(1)
    expect(partsOf('x*exp(0*y)')[0]).toBeGreaterThan(4)
  })

  test('of a sum of squares and another term include a rounding of that size for each square', () => {
    const partsWith = (squares: readonly string[]) => {
      const known = { r2: { roundings: ['r2'], squares } }
      const tape = tapeOf([parse('1 + r2', { names: ['r2'] })], ['dx', 'dy', 'dz', 'r2'], processor, known)
      tape.values[3] = 1e-6
      tape.run()
      const [at = 0] = tape.outputs
      return [tape.errors[at], tape.random[at]].map((part) => Number(((part as number) / u).toFixed(2)))
    }
    expect(partsWith([])).toEqual([1, 1])
    expect(partsWith(['dx', 'dy', 'dz'])).toEqual([3, 1.73])
  })

  test('of functions, and of roots on GPUs, are systematic', () => {
    expect(partsOf('sqrt(x)', graphics)).toEqual([5.5, 5, 0.5])
    expect(partsOf('exp(-x)')[1]).toBe(2.5)
  })

  test('an error that does not propagate linearly is systematic', () => {
    expect(partsOf('cos(x)', processor, 1e6)[2]).toBe(0)
    expect(partsOf('floor(x)', processor, 3)[2]).toBe(0)
    expect(partsOf('select(x < 3, x, 2*x)')[2]).toBe(0)
  })
})

describe('the roundings that pairs share', () => {
  const values = new Float64Array(1)
  function alike(numbers: readonly number[], arithmetic = processor): number {
    const repeats = repeatsIn([0], arithmetic)
    for (const n of numbers) {
      values[0] = n
      repeats.add(values, 1)
    }
    return repeats.largest()
  }
  const next = random(3)

  test('are few for different numbers, however many pairs there are', () => {
    for (const count of [1, 10, 1000, 30_000]) expect(alike([...numbersBetween(next, count, 1, 2)])).toBeLessThan(1.4)
  })

  test('are as many as there are equal numbers, in float32', () => {
    const close = Array.from({ length: 1000 }, (_, n) => 0.1 + 1e-12 * n)
    expect(alike(close)).toBe(1000)
    expect(alike(close, arithmeticOf({ precision: 'f64', kind: 'cpu' }))).toBeLessThan(1.4)
    expect(alike(Array.from({ length: 1000 }, (_, n) => (1 + (n % 10)) / 7.3))).toBeCloseTo(100, 0)
  })

  test('do not exist if the numbers are not rounded', () => {
    expect(alike(new Array(100).fill(0.5))).toBe(1)
  })
})

describe('the error of additions', () => {
  const next = random(4)
  const terms = Float64Array.from(numbersBetween(next, 4096, 0.5, 1))
  const of = (numbers: Float64Array, ...chains: readonly number[]) =>
    accumulationError({ accumulation: 'block', ...(chains.length > 0 ? { chains } : {}) }, numbers, processor, 0)

  test('of terms without structure is random', () => {
    const total = terms.reduce((sum, t) => sum + t, 0)
    expect(of(terms).systematic).toBeCloseTo(2 * u * total, 12)
    const { random } = accumulationError({ accumulation: 'running' }, terms, processor, 0)
    expect(random / (u * total)).toBeCloseTo(Math.sqrt(4096 / 3), 0)
  })

  /** The loss of adding `count` equal terms in float32, in chains that are then added up. */
  function lost(term: number, count: number, chain: number): number {
    const chained = (part: number, length: number) => {
      let sum = 0
      for (let n = 0; n < length; n++) sum = Math.fround(sum + part)
      return sum
    }
    return Math.abs(chained(chained(term, chain), count / chain) - term * count)
  }

  test.each([16, 64, 256, 4096])('of 4096 equal terms in chains of %i is what they lose, or a little more', (chain) => {
    let [most, largest] = [0, 0]
    for (const term of numbersBetween(next, 50, 0.1, 10).map(Math.fround)) {
      const terms = new Float64Array(4096).fill(term)
      const bound = boundOf(
        none,
        accumulationError({ accumulation: 'block', chains: [chain, 4096] }, terms, processor, 0),
      )
      const error = lost(term, 4096, chain)
      expect(error).toBeLessThanOrEqual(bound)
      most = Math.max(most, bound / (u * 4096 * term))
      largest = Math.max(largest, error / (u * 4096 * term))
    }
    expect(most).toBeLessThan(3 * largest + 4)
  })

  test('of equal terms covers what a device may have instead of them', () => {
    for (const term of numbersBetween(next, 50, 0.1, 10).map(Math.fround)) {
      const error = 4 * u * term
      const terms = new Float64Array(500).fill(term)
      const bound = accumulationError({ accumulation: 'running' }, terms, processor, 500 * error).systematic
      for (const other of [-2, -1, 1, 2].map((ulps) => Math.fround(term * (1 + 2 * ulps * u))))
        expect(lost(other, 500, 500)).toBeLessThanOrEqual(bound)
    }
  })

  test('of equal terms covers a device that takes a factor out of them', () => {
    let beyond = 0
    for (const part of numbersBetween(next, 50, 0.1, 10).map(Math.fround)) {
      const terms = new Float64Array(296).fill(part / 3)
      const boundWith = (factors: readonly number[]) =>
        boundOf(none, accumulationError({ accumulation: 'running' }, terms, processor, 0, factors))
      const error = lost(part, 296, 296) / 3
      expect(error).toBeLessThanOrEqual(boundWith([1, 1 / 3]))
      if (error > boundWith([1])) beyond++
    }
    expect(beyond).toBeGreaterThan(0)
  })

  test.each([
    [1.8649704283629982, 512, 16],
    [5.693789002370966, 640, 32],
  ])('of %d in float64, %i times, covers a device with %i chains', (term, count, chains) => {
    const added = (length: number, part: number) => {
      let sum = 0
      for (let n = 0; n < length; n++) sum += part
      return sum
    }
    const float64 = arithmeticOf({ precision: 'f64', kind: 'cpu' })
    const terms = new Float64Array(count).fill(term)
    const bound = boundOf(none, accumulationError({ accumulation: 'f64' }, terms, float64, 0))
    const apart = distanceFrom(added(chains, added(count / chains, term)), totalOf(terms, new Float64Array(count)))
    expect(apart).toBeLessThanOrEqual(bound)
    expect(apart).toBeGreaterThan(bound / 3)
  })

  test('is smaller in shorter chains, and where signs change', () => {
    expect(of(terms, 64).random).toBeLessThan(0.3 * of(terms).random)
    expect(of(terms, 64).random).toBeLessThan(0.3 * of(terms, 64, 64).random)
    const signed = terms.map((t, n) => (n % 2 ? t : -t))
    const running = (numbers: Float64Array) =>
      accumulationError({ accumulation: 'running' }, numbers, processor, 0).random
    expect(running(signed)).toBeLessThan(0.51 * running(terms))
  })
})
