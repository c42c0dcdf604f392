/**
 * How far a constant power may be off if its base is off, for errors of any size. Functions have
 * theirs in `expression/functions/errors.ts`.
 *
 * @module
 */

/** `1 + relative` errors of a power: `|x|^n` with x off by `e`; infinite where the base may cross 0. */
export function propagatePower(value: number, x: number, ex: number, n: number, nonnegative: boolean): number {
  if (ex === 0) return 0
  const size = Math.abs(x)
  const whole = Number.isInteger(n)
  if (ex < size) {
    const along = n < 0 ? -Math.log1p(-ex / size) : Math.log1p(ex / size)
    return Math.abs(value) * Math.expm1(Math.abs(n) * (n > 0 && n < 1 ? -Math.log1p(-ex / size) : along))
  }
  if (n < 0 || !(whole || nonnegative)) return Number.POSITIVE_INFINITY
  return Math.max((size + ex) ** n - (whole ? 0 : Math.abs(value)), 0) + Math.abs(value)
}
