/**
 * Constant powers: how far one may be off if its base is off, for errors of any size, and the bases with an inverse root that a device may
 * use for powers. The errors of functions are in `language/functions/errors.ts`.
 *
 * @module
 */
import { children, type Expr, key } from '../../../language/nodes.ts'
import { isHalf } from '../arithmetic.ts'

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

/** Bases with an inverse root: all their negative powers may be computed from it. */
export function rootedBases(expressions: readonly Expr[]): ReadonlySet<string> {
  const rooted = new Set<string>()
  const seen = new Set<Expr>()
  const visit = (e: Expr): void => {
    if (seen.has(e)) return
    seen.add(e)
    if (e.kind === 'power' && e.exponent < 0 && isHalf(e.exponent)) rooted.add(key(e.base))
    children(e).forEach(visit)
  }
  expressions.forEach(visit)
  return rooted
}
