// The largest magnitude of an array and the numbers near 0, against a plain loop.

import { describe, expect, it } from 'vitest'
import { windowLength } from '../src/ground/arrays/extremes.ts'
import { looksFinite, magnitudesOf, nearZero } from '../src/ground/arrays/magnitudes.ts'
import { type FloatArray, firstNotFinite } from '../src/ground/checks.ts'
import { random } from './support/random.ts'

describe.each([
  ['Float32Array', (numbers: readonly number[]): FloatArray => Float32Array.from(numbers)],
  ['Float64Array', (numbers: readonly number[]): FloatArray => Float64Array.from(numbers)],
] as const)('magnitudes of a %s', (_, arrayOf) => {
  const next = random(17)
  const filled = (length: number, x: number) => arrayOf(Array.from({ length }, () => x))

  it('are those of a plain loop, whatever the length and the place in a buffer', () => {
    for (let length = 0; length < 40; length++) {
      const whole = Array.from({ length: length + 3 }, () => (next() - 0.5) * 10 ** Math.round(20 * next() - 10))
      const array = arrayOf(whole).subarray(3)
      for (let n = 0; n < length; n += 7) array[n] = n % 2 ? 0 : -0
      const sizes = Array.from(array, (x) => Math.abs(Math.fround(x)))
      expect(magnitudesOf(array)).toEqual({
        largest: Math.max(nearZero, ...sizes),
        small: [...sizes.keys()].filter((n) => (sizes[n] as number) < nearZero),
      })
    }
  })

  it('find a number that is not finite in every place', () => {
    for (const wrong of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])
      for (let length = 1; length < 10; length++)
        for (let n = 0; n < length; n++) {
          const array = filled(length, 3)
          array[n] = wrong
          expect(firstNotFinite(array)).toBe(n)
        }
  })

  it('of long arrays do not depend on where the smallest, the largest and the non-finite numbers are', () => {
    const sizesOf = (array: FloatArray) => Array.from(array, (x) => Math.abs(Math.fround(x)))
    for (const length of [256, 1001, windowLength, windowLength + 3, 2 * windowLength + 259]) {
      const array = arrayOf(Array.from({ length }, () => next() - 0.5 || 1))
      for (const at of [0, 255, windowLength - 1, windowLength, length - 1].filter((n) => n < length)) {
        const before = array[at] as number
        for (const x of [0, -1e-9, 1e9, -1e30]) {
          array[at] = x
          const sizes = sizesOf(array)
          const small = [...sizes.keys()].filter((n) => (sizes[n] as number) < nearZero)
          expect(magnitudesOf(array)).toEqual({ largest: sizes.reduce((a, b) => Math.max(a, b)), small })
        }
        array[at] = Number.NaN
        expect(firstNotFinite(array)).toBe(at)
        array[at] = before
      }
    }
  })

  it('find a number that is not finite among results of every length', () => {
    for (const length of [0, 1, 3, 4, 5, 15, 16, 17, 255, 256, 257, 1001, windowLength + 1, 3 * windowLength - 5]) {
      const whole = arrayOf(Array.from({ length: length + 1 }, () => 1e6 * (next() - 0.5)))
      const array = whole.subarray(1)
      expect(looksFinite(array)).toBe(true)
      for (let n = 0; n < length; n += length < 300 ? 1 : 97)
        for (const wrong of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
          const before = array[n] as number
          array[n] = wrong
          expect(looksFinite(array)).toBe(false)
          array[n] = before
        }
    }
  })

  it('of opposite infinities do not cancel', () => {
    const array = filled(300, 1)
    array[0] = Number.POSITIVE_INFINITY
    array[299] = Number.NEGATIVE_INFINITY
    expect(looksFinite(array)).toBe(false)
  })

  it('list small numbers only while there are at most 256', () => {
    expect(magnitudesOf(filled(256, 0)).small).toHaveLength(256)
    expect(magnitudesOf(filled(257, 0)).small).toBeUndefined()
  })
})

it('numbers beyond float32 are finite in float64', () => {
  expect(firstNotFinite(Float64Array.of(1, 1e300))).toBe(-1)
})
