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
  let [a, b] = [0, 0]
  for (let n = coefficients.length - 1; n > 0; n--) [a, b] = [(coefficients[n] as number) + 2 * x * a - b, a]
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
