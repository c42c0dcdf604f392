/**
 * Replaces powers by the few operations that compute them: one root or reciprocal of each base, then products.
 *
 * The choice depends on the other powers of the same base. If `s^(-3/2)` is needed, `y = inverseSqrt(s)` is computed once, and other
 * negative powers follow from it: `1/s = y*y`. `sqrt(s) = s*y` follows only if `s` is never 0.
 * Machines differ in the cost of roots: see {@link RootStyle}.
 *
 * @module
 */
import { isRepeated, mostRepeated } from './limit-size.ts'
import { call, children, constant, type Expr, isConstant, key, power, product } from './nodes.ts'
import { rebuildWith } from './rebuild.ts'

/**
 * - `inverseSqrt`: one instruction on GPUs; all negative half powers come from it.
 * - `sqrt`: CPUs divide once, `m / (s * sqrt(s))`; an inverse root is shared only where several powers need it.
 */
export type RootStyle = 'inverseSqrt' | 'sqrt'

const isHalf = (exponent: number) => Number.isInteger(2 * exponent) && !Number.isInteger(exponent)

/**
 * Expands all powers in a set of expressions that are computed together.
 *
 * @param positive names of values that are never 0
 */
export function expandPowers(
  expressions: readonly Expr[],
  style: RootStyle,
  positive: readonly string[] = [],
): readonly Expr[] {
  const exponents = new Map<string, number[]>()
  const uses = new Map<string, number>()
  const collect = (e: Expr): void => {
    const k = key(e)
    const count = (uses.get(k) ?? 0) + 1
    uses.set(k, count)
    if (count > 1) return
    if (e.kind === 'power') exponents.set(key(e.base), [...(exponents.get(key(e.base)) ?? []), e.exponent])
    children(e).forEach(collect)
  }
  expressions.forEach(collect)
  return expressions.map((e) =>
    rebuildWith(e, {
      power: (p, again) => {
        const shares = p.base.kind === 'symbol' && positive.includes(p.base.name)
        return expand(again(p.base), p.exponent, exponents.get(key(p.base)) ?? [], style, shares)
      },
      // The factors of a power used only here join the others and are balanced with them: (m*y)*(y*y).
      product: (p, again) =>
        product(
          ...p.factors.flatMap((f) => {
            const factor = again(f)
            return factor.kind === 'product' && uses.get(key(f)) === 1 ? factor.factors : [factor]
          }),
        ),
    }),
  )
}

/** @param shares whether `sqrt(base)` may come from its inverse root */
function expand(base: Expr, exponent: number, used: readonly number[], style: RootStyle, shares = false): Expr {
  if (Math.abs(exponent) > mostRepeated) return call('pow', base, constant(exponent))
  if (!isRepeated(exponent)) return power(base, exponent)
  const several = used.length > 1
  const rooted = used.some((e) => isHalf(e) && e < 0)
  if (exponent > 0 && isHalf(exponent))
    return shares && rooted && style === 'inverseSqrt'
      ? multiply(repeated(base, exponent + 0.5), power(base, -0.5))
      : multiply(repeated(base, exponent - 0.5), power(base, 0.5))
  if (exponent > 0) return repeated(base, exponent)
  if (rooted && (style === 'inverseSqrt' || several))
    return repeated(style === 'inverseSqrt' ? power(base, -0.5) : power(power(base, 0.5), -1), -2 * exponent)
  if (several || style === 'inverseSqrt')
    return isHalf(exponent) ? power(base, exponent) : repeated(power(base, -1), -exponent)
  return power(expand(base, -exponent, used, style), -1)
}

/** `x^n` for a whole n >= 0 by squaring; an empty product for 0. */
function repeated(x: Expr, n: number): Expr {
  if (n <= 1) return n === 1 ? x : product()
  if (n <= 3) return product(...Array<Expr>(n).fill(x))
  const half = repeated(x, Math.floor(n / 2))
  return n % 2 === 0 ? product(half, half) : product(half, half, x)
}

function multiply(a: Expr, b: Expr): Expr {
  const factors = [a, b].flatMap((e) => (e.kind === 'product' ? e.factors : [e])).filter((e) => !isConstant(e, 1))
  return factors.length === 1 ? (factors[0] as Expr) : product(...factors)
}
