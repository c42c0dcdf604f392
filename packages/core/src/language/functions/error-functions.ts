/**
 * The error function and its complement. JavaScript lacks both. In float64 they come from their defining series, which are
 * right to a few ulp, and easy to read rather than fast. Both start at the smallest terms, where a rounding matters least.
 *
 * `erf` is the Maclaurin series with positive terms, `erf(x) = 2/sqrt(pi) exp(-x^2) sum_n 2^n x^(2n+1) / (2n+1)!!`;
 * `erfc` for larger x is the continued fraction `exp(-x^2)/sqrt(pi) * 1/(x + (1/2)/(x + 1/(x + (3/2)/(x + ...))))`.
 *
 * @source NIST Digital Library of Mathematical Functions, 7.6.2 and 7.9.1
 * @module
 */
import { type NumericFunction, numeric } from './definition.ts'

/** Above this, `1 - erf` would lose digits that the continued fraction keeps. */
const crossover = 1

function series(x: number): number {
  let tail = 1
  for (let n = 24; n > 0; n--) tail = 1 + ((2 * x * x) / (2 * n + 1)) * tail
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * x * tail
}

function continuedFraction(x: number): number {
  let tail = x
  for (let n = 240; n > 0; n--) tail = x + n / 2 / tail
  return Math.exp(-x * x) / (Math.sqrt(Math.PI) * tail)
}

function errorFunction(x: number): number {
  const size = Math.abs(x)
  if (!(size > crossover)) return size === 0 ? x : series(x)
  return Math.sign(x) * (1 - continuedFraction(size))
}

function complement(x: number): number {
  if (x < 0) return 1 + errorFunction(-x)
  return x > crossover ? continuedFraction(x) : 1 - errorFunction(x)
}

export const erf: NumericFunction = numeric({
  operands: ['x'],
  value: errorFunction,
  derivative: `${2 / Math.sqrt(Math.PI)}*exp(-x^2)*dx`,
  domain: 'all',
  range: 'all',
})

export const erfc: NumericFunction = numeric({
  operands: ['x'],
  value: complement,
  derivative: `-${2 / Math.sqrt(Math.PI)}*exp(-x^2)*dx`,
  domain: 'all',
  range: 'nonnegative',
})
