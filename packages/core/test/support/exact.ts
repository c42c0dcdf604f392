/**
 * Values and derivatives of expressions with hundreds of digits, by series and central differences in whole numbers: the truth for
 * tests of derivatives. It shares only the tree with core, and knows every function of the table.
 *
 * A number is a multiple of 2^-2000. With steps of 2^-300 even second derivatives of 1e-280 have more than 100 digits. Twice as many
 * places take four times as long.
 *
 * @module
 */
import type { FunctionName } from '../../src/language/functions/table.ts'
import type { Expr } from '../../src/language/nodes.ts'
import { type Language, render } from '../../src/language/render.ts'

const places = 2000n
const one = 1n << places
const step = one >> 300n

const times = (a: bigint, b: bigint): bigint => (a * b) >> places
const over = (a: bigint, b: bigint): bigint => (a << places) / b
const size = (a: bigint): bigint => (a < 0n ? -a : a)
const lengthOf = (a: bigint): number => size(a).toString(16).length * 4
const wholeOf = (a: bigint): bigint => (a >> places) << places
const condition = (holds: boolean): bigint => (holds ? one : 0n)

/** A finite number. */
function exactly(x: number): bigint {
  let [whole, shift] = [x, 0n]
  for (; !Number.isInteger(whole); shift += 32n) whole *= 2 ** 32
  return (BigInt(whole) << places) >> shift
}

/** The nearest number of float64, but for its last bit. */
function rounded(a: bigint): number {
  const shift = Math.max(0, lengthOf(a) - 64)
  const exponent = shift - Number(places)
  const first = Math.floor(exponent / 2)
  return Number(a >> BigInt(shift)) * 2 ** first * 2 ** (exponent - first)
}

/** The sum of terms until they vanish. Each term comes from the one before. `share` is the part of a term that counts. */
function series(
  first: bigint,
  next: (term: bigint, n: bigint) => bigint,
  share: (term: bigint, n: bigint) => bigint = (term) => term,
): bigint {
  let total = 0n
  let term = first
  for (let n = 0n; size(term) > 1n; n++) {
    total += share(term, n)
    term = next(term, n + 1n)
  }
  return total
}

function root(a: bigint): bigint {
  if (a <= 0n) return 0n
  const square = a << places
  let x = 1n << BigInt(lengthOf(square) / 2 + 1)
  for (let y = (x + square / x) >> 1n; y < x; y = (x + square / x) >> 1n) x = y
  return x
}

/** `exp(x/2^k)`, squared k times. Below `exp(-places)`, all digits are 0. */
function exp(x: bigint): bigint {
  if (x < -places * one) return 0n
  if (x < 0n) return over(one, exp(-x))
  const halvings = BigInt(Math.max(0, lengthOf(x) - Number(places) + 20))
  let value = series(one, (term, n) => times(term, x >> halvings) / n)
  for (let n = 0n; n < halvings; n++) value = times(value, value)
  return value
}

/** Roots until x is near 1, then `2 artanh((x - 1)/(x + 1))`. */
function log(x: bigint): bigint {
  if (x <= 0n) throw new RangeError('expected a number > 0')
  let [near, factor] = [x, 2n]
  for (; size(near - one) > one >> 10n; factor *= 2n) near = root(near)
  return factor * odd(over(near - one, near + one), 1n)
}

/** Halves the angle until it is small. */
function arctan(x: bigint): bigint {
  let [near, factor] = [x, 1n]
  for (; size(near) > one >> 8n; factor *= 2n) near = over(near, one + root(one + times(near, near)))
  return factor * odd(near, -1n)
}

/** `x + s x^3/3 + x^5/5 + s x^7/7 + ...` */
const odd = (x: bigint, sign: bigint): bigint =>
  series(
    x,
    (term) => sign * times(term, times(x, x)),
    (term, n) => term / (2n * n + 1n),
  )

const pi = 4n * arctan(one)
const twoOverRootPi = over(2n * one, root(pi))

const withoutTurns = (x: bigint): bigint => x - 2n * pi * (over(x, 2n * pi) >> places)
const wave = (first: bigint, x: bigint, k: bigint): bigint =>
  series(first, (term, n) => -times(term, times(x, x)) / ((2n * n - 1n + k) * (2n * n + k)))
const sin = (x: bigint): bigint => wave(withoutTurns(x), withoutTurns(x), 1n)
const cos = (x: bigint): bigint => wave(one, withoutTurns(x), 0n)

const sech = (x: bigint): bigint => over(2n * one, exp(x) + exp(-x))
const tanh = (x: bigint): bigint => over(exp(x) - exp(-x), exp(x) + exp(-x))

/** `2/sqrt(pi) exp(-x^2) sum_n 2^n x^(2n+1)/(2n+1)!!`; its complement beyond 40 is below 1e-690. */
function erf(x: bigint): bigint {
  if (size(x) > 40n * one) return x < 0n ? -one : one
  const square = times(x, x)
  const sum = series(x, (term, n) => (2n * times(term, square)) / (2n * n + 1n))
  // A quotient keeps the digits that a product with a small exponential would lose.
  return times(twoOverRootPi, over(sum, exp(square)))
}

function atan2(y: bigint, x: bigint): bigint {
  if (size(y) > size(x)) return (y < 0n ? -pi : pi) / 2n - arctan(over(x, y))
  const angle = arctan(over(y, x))
  return x > 0n ? angle : y < 0n ? angle - pi : angle + pi
}

/** With an exponent that is whole, or of a number > 0. */
function pow(a: bigint, n: bigint): bigint {
  if (n !== wholeOf(n)) return exp(times(n, log(a)))
  let value = one
  for (let k = 0n; k < size(n) >> places; k++) value = times(value, a)
  return n < 0n ? over(one, value) : value
}

const calls: Readonly<Record<FunctionName, (...operands: readonly bigint[]) => bigint>> = {
  ...{ exp, log, sin, cos, tanh, sech, erf, atan2, pow },
  tan: (x: bigint) => over(sin(x), cos(x)),
  erfc: (x: bigint) => one - erf(x),
  abs: size,
  sign: (x: bigint) => condition(x > 0n) - condition(x < 0n),
  step: (x: bigint) => condition(x >= 0n),
  floor: wholeOf,
  ceil: (x: bigint) => -wholeOf(-x),
  round: (x: bigint) => wholeOf(x + one / 2n),
  min: (a: bigint, b: bigint) => (b < a ? b : a),
  max: (a: bigint, b: bigint) => (a < b ? b : a),
  select: (when: bigint, a: bigint, b: bigint) => (when ? a : b),
  less: (a: bigint, b: bigint) => condition(a < b),
  lessEqual: (a: bigint, b: bigint) => condition(a <= b),
  equal: (a: bigint, b: bigint) => condition(a === b),
  and: (a: bigint, b: bigint) => (a ? b : a),
  or: (a: bigint, b: bigint) => (a ? a : b),
  not: (a: bigint) => condition(!a),
}

const exactNumbers = (symbol: (name: string) => bigint): Language<bigint> => ({
  constant: exactly,
  symbol,
  add: (a, b) => a + b,
  subtract: (a, b) => a - b,
  multiply: times,
  divide: over,
  negate: (a) => -a,
  power: (a, exponent) =>
    Number.isInteger(exponent - 0.5) ? pow(root(a), exactly(2 * exponent)) : pow(a, exactly(exponent)),
  call: calls,
})

/**
 * The value of an expression, or its first or second derivative with respect to a name, rounded to float64. It computes a derivative
 * from values of the expression on both sides.
 */
export function exactValue(
  e: Expr,
  values: Readonly<Record<string, number>>,
  derivative?: { readonly name: string; readonly order: 1 | 2 },
): number {
  const at = (shift: bigint): bigint =>
    render(
      e,
      exactNumbers((name) => exactly(values[name] as number) + (name === derivative?.name ? shift : 0n)),
    )
  if (!derivative) return rounded(at(0n))
  if (derivative.order === 1) return rounded(over(at(step) - at(-step), 2n * step))
  return rounded(over(over(at(step) - 2n * at(0n) + at(-step), step), step))
}
