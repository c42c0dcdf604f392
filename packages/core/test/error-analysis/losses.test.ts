// The losses of float64 in an expression: the value and its loss together have about twice the digits.

import { expect, test } from 'vitest'
import { parse } from '../../src/language/parse.ts'
import { arithmeticOf } from '../../src/truth/error-analysis/arithmetic.ts'
import { totalOf } from '../../src/truth/error-analysis/losses.ts'
import { tapeOf } from '../../src/truth/error-analysis/tape/tape.ts'
import { numbersBetween, random } from '../support/random.ts'

const digits = 300n
const one = 1n << digits

/** A number as a multiple of 2^-300. */
function exact(x: number): bigint {
  let [mantissa, shift] = [x, 0n]
  for (; !Number.isInteger(mantissa); shift++) mantissa *= 2
  return BigInt(mantissa) << (digits - shift)
}
const times = (a: bigint, b: bigint) => (a * b) >> digits
const over = (a: bigint, b: bigint) => (a << digits) / b
function root(a: bigint): bigint {
  let guess = one
  for (let n = 0; n < 40; n++) guess = (guess + over(a, guess)) / 2n
  return guess
}
const power = (a: bigint, n: number): bigint => (n === 0 ? one : times(a, power(a, n - 1)))

const cases: readonly (readonly [text: string, of: (x: bigint, y: bigint) => bigint])[] = [
  ['x + y + x*y', (x, y) => x + y + times(x, y)],
  ['x - 3*y', (x, y) => x - 3n * y],
  ['x/y', (x, y) => over(x, y)],
  ['x^7*y^(-6)', (x, y) => over(power(x, 7), power(y, 6))],
  ['sqrt(x*y)', (x, y) => root(times(x, y))],
  ['(x + y)^(-1.5)', (x, y) => over(one, power(root(x + y), 3))],
  ['(x + y)^2 - x^2 - y^2', (x, y) => 2n * times(x, y)],
  ['abs(y - x*x)', (x, y) => (y < times(x, x) ? times(x, x) - y : y - times(x, x))],
  ['max(x*y, y)', (x, y) => (x < one ? y : times(x, y))],
  ['select(x*x < y, x/3, y/3)', (x, y) => (times(x, x) < y ? x : y) / 3n],
]

const tapeIn = (text: string, precision: 'f32' | 'f64') =>
  tapeOf([parse(text, { names: ['x', 'y'] })], ['x', 'y'], arithmeticOf({ precision, kind: 'cpu' }))

test.each(cases)('the value of %s and its loss are right to 90 bits', (text, of) => {
  const tape = tapeIn(text, 'f64')
  const [result = 0] = tape.outputs
  const next = random(7)
  let lost = 0
  for (let n = 0; n < 200; n++) {
    const [x = 0, y = 0] = numbersBetween(next, 2, 0.3, 4)
    ;[tape.values[0], tape.values[1]] = [x, y]
    tape.run()
    const [value, loss] = [tape.values[result] as number, tape.lost[result] as number]
    const off = exact(value) + exact(loss) - of(exact(x), exact(y))
    expect(Number(off) / Number(one)).toBeLessThan(2 ** -90 * 4 ** 7)
    expect(Number(off) / Number(one)).toBeGreaterThan(-(2 ** -90) * 4 ** 7)
    lost = Math.max(lost, Math.abs(loss))
  }
  expect(lost).toBeGreaterThan(0)
})

test('a function passes on what its operand lost', () => {
  const tape = tapeIn('sin(x*y)', 'f64')
  ;[tape.values[0], tape.values[1]] = [0.1, 0.7]
  tape.run()
  const product = tapeIn('x*y', 'f64')
  ;[product.values[0], product.values[1]] = [0.1, 0.7]
  product.run()
  const [of, within] = [tape, product].map((one) => one.lost[one.outputs[0] as number] as number) as [number, number]
  expect(within).not.toBe(0)
  expect(of / within).toBeCloseTo(Math.cos(0.07), 12)
})

test('a loss that overflows counts as none, and float32 has none', () => {
  const tape = tapeIn('x*y', 'f64')
  ;[tape.values[0], tape.values[1]] = [1e308, 0.1]
  tape.run()
  expect(tape.lost[tape.outputs[0] as number]).toBe(0)
  const single = tapeIn('x*y', 'f32')
  ;[single.values[0], single.values[1]] = [0.1, 0.7]
  single.run()
  expect(single.lost[single.outputs[0] as number]).toBe(0)
})

test('a total keeps what its additions lose', () => {
  expect(totalOf([1, 1e-20, -1], [0, 0, 0])).toEqual([0, 1e-20])
  expect(totalOf([1, 1], [2 ** -70, 2 ** -71])).toEqual([2, 3 * 2 ** -71])
})
