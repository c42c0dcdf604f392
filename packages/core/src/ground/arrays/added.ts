/**
 * Sums in float64.
 *
 * @module
 */

/** The sum of numbers, in float64. Four chains, because each addition waits for the one before. */
export function added(numbers: ArrayLike<number>): number {
  const at = (n: number) => numbers[n] as number
  const whole = numbers.length - (numbers.length % 4)
  let [a, b, c, d] = [0, 0, 0, 0]
  for (let n = 0; n < whole; n += 4) {
    a += at(n)
    b += at(n + 1)
    c += at(n + 2)
    d += at(n + 3)
  }
  for (let n = whole; n < numbers.length; n++) a += at(n)
  return a + b + (c + d)
}
