/**
 * What JavaScript lacks or defines otherwise. Choices are made by comparisons, which are false for NaN, so that a NaN is
 * never chosen over a number that stands first. Error functions in float64 come from their defining series: right to a few
 * ulp and written to be read, not to be fast.
 *
 * `erf` is the Maclaurin series with positive terms, `erf(x) = 2/sqrt(pi) exp(-x^2) sum_n 2^n x^(2n+1) / (2n+1)!!`;
 * `erfc` for larger x is the continued fraction `exp(-x^2)/sqrt(pi) * 1/(x + (1/2)/(x + 1/(x + (3/2)/(x + ...))))`.
 *
 * @source NIST Digital Library of Mathematical Functions, 7.6.2 and 7.9.1
 * @module
 */

/** Above this, `1 - erf` would lose digits that the continued fraction keeps. */
const crossover = 1

function series(x: number): number {
  let term = x
  let total = x
  for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(total); n++) {
    term *= (2 * x * x) / (2 * n + 1)
    total += term
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * total
}

function continuedFraction(x: number): number {
  let tail = x
  for (let n = 240; n > 0; n--) tail = x + n / 2 / tail
  return Math.exp(-x * x) / (Math.sqrt(Math.PI) * tail)
}

export function erf(x: number): number {
  const size = Math.abs(x)
  if (!(size > crossover)) return size === 0 ? x : series(x)
  return Math.sign(x) * (1 - continuedFraction(size))
}

export function erfc(x: number): number {
  if (x < 0) return 1 + erf(-x)
  return x > crossover ? continuedFraction(x) : 1 - erf(x)
}

/** Rounds halves to even, as IEEE 754, WGSL and WebAssembly do and `Math.round` does not. */
export function roundHalfEven(x: number): number {
  const below = Math.floor(x)
  const fraction = x - below
  if (fraction !== 0.5) return Math.round(x)
  return below % 2 === 0 ? below : below + 1
}

/** 1, -1, or 0 for everything that is neither more nor less than 0. */
export function signum(x: number): number {
  return Number(x > 0) - Number(x < 0)
}

/** `b` where it is less than `a`, else `a`. */
export function least(a: number, b: number): number {
  if (b < a) return b
  return a
}

/** `b` where it is greater than `a`, else `a`. */
export function greatest(a: number, b: number): number {
  if (a < b) return b
  return a
}
