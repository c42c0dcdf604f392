/**
 * Chebyshev polynomials: values, and sums of them as powers.
 *
 * @module
 */

/** The first polynomials at x. */
export function chebyshevAt(count: number, x: number): Float64Array {
  const values = new Float64Array(count)
  for (let n = 0; n < count; n++)
    values[n] = n === 0 ? 1 : n === 1 ? x : 2 * x * (values[n - 1] as number) - (values[n - 2] as number)
  return values
}

/** The coefficients of powers of x for a sum of Chebyshev polynomials. */
export function inPowers(coefficients: Float64Array): Float64Array {
  const count = coefficients.length
  const powers = new Float64Array(count)
  let [before, current] = [new Float64Array(count), new Float64Array(count)]
  for (let n = 0; n < count; n++) {
    const next = new Float64Array(count)
    if (n === 0) next[0] = 1
    else
      for (let k = 0; k < count; k++)
        next[k] = (n === 1 ? 1 : 2) * (k > 0 ? (current[k - 1] as number) : 0) - (n > 1 ? (before[k] as number) : 0)
    for (let k = 0; k < count; k++)
      powers[k] = (powers[k] as number) + (coefficients[n] as number) * (next[k] as number)
    before = current
    current = next
  }
  return powers
}

/** The value of a sum of powers. */
export function powersAt(powers: Float64Array, x: number): number {
  let value = 0
  for (let n = powers.length - 1; n >= 0; n--) value = value * x + (powers[n] as number)
  return value
}

/** The value of a sum of Chebyshev polynomials, by Clenshaw's recurrence. */
export function seriesAt(coefficients: Float64Array, x: number): number {
  // Without an array of both, whose making takes as long as the sum.
  let a = 0
  let b = 0
  for (let n = coefficients.length - 1; n > 0; n--) {
    const next = (coefficients[n] as number) + 2 * x * a - b
    b = a
    a = next
  }
  return (coefficients[0] as number) + x * a - b
}

/** The coefficients of the polynomial that has the values of a function at the zeros of a Chebyshev polynomial. */
export function fitted(f: (x: number) => number, count: number): Float64Array {
  const values = Float64Array.from({ length: count }, (_, i) => f(Math.cos((Math.PI * (i + 0.5)) / count)))
  return Float64Array.from({ length: count }, (_, n) => {
    let total = 0
    for (let i = 0; i < count; i++) total += (values[i] as number) * Math.cos((Math.PI * n * (i + 0.5)) / count)
    return (total * (n === 0 ? 1 : 2)) / count
  })
}

/**
 * A sum of Chebyshev polynomials for a function, of twice as many until `isEnough` or `most`. They are fitted to values at the extrema of
 * the last one, where the extrema of half as many polynomials are.
 */
export function fittedUntil(
  f: (x: number) => number,
  first: number,
  most: number,
  isEnough: (series: Float64Array) => boolean,
): Float64Array {
  let values = new Float64Array()
  for (let count = first; ; count *= 2) {
    const coarser = values
    values = Float64Array.from({ length: count + 1 }, (_, i) =>
      i % 2 === 0 && coarser.length > 0 ? (coarser[i / 2] as number) : f(Math.cos((Math.PI * i) / count)),
    )
    const series = seriesThrough(values)
    if (2 * count > most || isEnough(series)) return series
  }
}

/** The sum of Chebyshev polynomials that has these values at the extrema of the last one, from 1 to -1. */
function seriesThrough(values: Float64Array): Float64Array {
  const count = values.length - 1
  const waves = Float64Array.from({ length: 2 * count }, (_, n) => Math.cos((Math.PI * n) / count))
  const half = (n: number) => (n === 0 || n === count ? 0.5 : 1)
  return values.map((_, n) => {
    let total = 0
    for (let i = 0; i <= count; i++) total += half(i) * (values[i] as number) * (waves[(n * i) % (2 * count)] as number)
    return (2 * half(n) * total) / count
  })
}
