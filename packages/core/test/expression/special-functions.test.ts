// erf and erfc against published tables and identities; rounding of halves.

import { describe, expect, it } from 'vitest'
import { roundHalfEven } from '../../src/language/functions/rounding.ts'
import { functions } from '../../src/language/functions/table.ts'
import { numbersBetween, random } from '../support/random.ts'

const erf = functions.erf.value
const erfc = functions.erfc.value

const bits = 200n

/** A multiple of 2^-60 with 200 binary places. */
const exactly = (x: number): bigint => BigInt(x * 2 ** 60) << (bits - 60n)

/** `erf` by its alternating series, with 200 binary places. */
function exactErf(x: number): bigint {
  const twoOverRootPi = (11283791670955125738961589031215451716881012586579977n << bits) / 10n ** 52n
  let [power, factorial, total] = [exactly(x), 1n, 0n]
  const square = (power * power) >> bits
  for (let n = 0n; n < 60n; n++) {
    total += (n % 2n ? -power : power) / (factorial * (2n * n + 1n))
    power = (power * square) >> bits
    factorial *= n + 1n
  }
  return (total * twoOverRootPi) >> bits
}

describe('erf', () => {
  // Abramowitz & Stegun, Handbook of Mathematical Functions, table 7.1 (ten digits).
  it.each([
    [0, 0],
    [0.1, 0.112462916],
    [0.5, 0.5204998778],
    [1, 0.8427007929],
    [1.4, 0.9522851198],
    [1.5, 0.9661051465],
    [1.6, 0.9763483833],
    [2, 0.995322265],
  ])('of %f is %f', (x, expected) => {
    expect(Math.abs(erf(x) - expected)).toBeLessThan(5.1e-11)
    expect(Math.abs(erf(-x) + expected)).toBeLessThan(5.1e-11)
  })

  it('is off by less than three units in the last place where its series needs most terms', () => {
    const losses = Array.from({ length: 3600 }, (_, n) => {
      const x = 0.1 + n / 4000
      const off = Number(exactly(erf(x)) - exactErf(x)) / 2 ** Number(bits)
      return Math.abs(off) / 2 ** (Math.floor(Math.log2(erf(x))) - 52)
    })
    expect(Math.max(...losses)).toBeLessThan(3)
  })

  it('ends at 1 and keeps the sign of zero and NaN', () => {
    expect([erf(6), erf(40), erf(Infinity), erf(-Infinity)]).toEqual([1, 1, 1, -1])
    expect(erf(-0)).toBe(-0)
    expect(erf(NaN)).toBeNaN()
  })

  it('of a small x is 2/sqrt(pi) x', () => {
    expect(erf(1e-10) / 1e-10).toBeCloseTo(2 / Math.sqrt(Math.PI), 14)
    expect(erf(1e-300) / 1e-300).toBeCloseTo(2 / Math.sqrt(Math.PI), 14)
  })
})

describe('erfc', () => {
  // The complement to full precision; large x from erfc(x) = exp(-x^2) w(ix), DLMF 7.2(ii).
  it.each([
    [0, 1],
    [0.5, 0.4795001221869535],
    [1, 0.15729920705028513],
    [2, 0.004677734981047266],
    [3, 2.209049699858544e-5],
    [5, 1.5374597944280349e-12],
    [10, 2.088487583762545e-45],
    [26, 5.663192408856143e-296],
    [-1, 1.842700792949715],
    [-3, 1.9999779095030015],
  ])('of %f is %d', (x, expected) => {
    expect(Math.abs(erfc(x) / expected - 1)).toBeLessThan(2e-14)
  })

  it('ends at 0 and 2', () => {
    expect([erfc(Infinity), erfc(30), erfc(-Infinity)]).toEqual([0, 0, 2])
    expect(erfc(NaN)).toBeNaN()
  })
})

describe('identities', () => {
  const samples = numbersBetween(random(1), 200, -5, 5)

  it('erf + erfc = 1', () => {
    for (const x of samples) expect(Math.abs(erf(x) + erfc(x) - 1)).toBeLessThan(4e-16)
  })

  it('erfc(-x) = 2 - erfc(x)', () => {
    for (const x of samples) expect(Math.abs(erfc(-x) + erfc(x) - 2)).toBeLessThan(4e-16)
  })

  it('the series and the continued fraction agree at their border', () => {
    for (const x of [1.5, -1.5]) {
      const step = 1e-9
      const slope = (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x)
      expect(Math.abs(erf(x + step) - erf(x - step) - 2 * step * slope)).toBeLessThan(1e-15)
      expect(Math.abs(erfc(x + step) - erfc(x - step) + 2 * step * slope)).toBeLessThan(1e-15)
    }
  })
})

describe('roundHalfEven', () => {
  it.each([
    [0.5, 0],
    [1.5, 2],
    [2.5, 2],
    [3.5, 4],
    [-0.5, 0],
    [-1.5, -2],
    [-2.5, -2],
    [0.49999999999999994, 0],
    [0.50000000000000011, 1],
    [-0.50000000000000011, -1],
    [2.4, 2],
    [-2.6, -3],
    [2 ** 52 + 1, 2 ** 52 + 1],
    [-(2 ** 53), -(2 ** 53)],
    [Infinity, Infinity],
  ])('of %d is %d', (x, expected) => {
    expect(roundHalfEven(x) + 0).toBe(expected)
  })
})
