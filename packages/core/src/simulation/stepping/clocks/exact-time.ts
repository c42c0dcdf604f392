/**
 * Arithmetic of a number that float32 holds exactly, such as a count of steps, though not its product with a rate.
 *
 * Expressions are simplified as if numbers were exact. A maximum that changes nothing keeps sums from being merged.
 *
 * @module
 */
import { callOf, productOf, sumOf } from '../../../language/canonical.ts'
import { constant, type Expr, negate } from '../../../language/nodes.ts'

/** A number in an expression: a constant, or a symbol for one that may change. */
export type NumberIn = (value: number) => Expr

/** `x + by` with the digits of the device, however near 0 it is. */
export function shifted(x: Expr, by: number, number: NumberIn): Expr {
  const near = Math.fround(by)
  if (!Number.isFinite(near)) return sumOf([x, number(by)])
  return sumOf([apart(sumOf([x, number(near)]), constant(-3e38)), number(by - near)])
}

/** So many units make the greater part of a number: products of two numbers up to it are exact in float32. */
const part = 4096

/**
 * The angle `rate*x`, less whole turns. It takes from `x` the nearest multiple of a coarse unit, and from the rest the nearest multiple of
 * a fine unit, during which the angle turns once at most. The turns in a unit are known in float64 and have two parts: 12 digits and a
 * small rest. The product of the 12 digits with a multiple is exact, so that whole turns can be taken off.
 */
export function angleOf(x: Expr, rate: number, number: NumberIn): Expr {
  const turns = rate / (2 * Math.PI)
  const fine = 2 ** Math.max(-100, Math.min(100, Math.floor(-Math.log2(Math.abs(turns)))))
  const coarse = part * fine
  const multiple = (of: Expr, unit: number) => callOf('round', [productOf([number(1 / unit), of])])
  const less = (from: Expr, unit: number, count: Expr) =>
    apart(sumOf([from, productOf([number(-unit), count])]), number(-unit))
  const coarsely = multiple(x, coarse)
  const rest = less(x, coarse, coarsely)
  const finely = multiple(rest, fine)
  const last = less(rest, fine, finely)
  const all = [
    ...turned(coarsely, turns * coarse, number),
    ...turned(finely, turns * fine, number),
    productOf([number(turns), last]),
  ]
  return productOf([constant(2 * Math.PI), sumOf(all)])
}

/** An angle in float64 less whole turns. */
export const withoutTurns = (angle: number): number => 2 * Math.PI * fraction(angle / (2 * Math.PI))

const fraction = (x: number) => x - Math.round(x)

/** Turns after a whole number of units, less whole ones. */
function turned(count: Expr, turnsOfOne: number, number: NumberIn): readonly Expr[] {
  const turns = fraction(turnsOfOne)
  const short = Math.round(turns * part) / part
  const exact = productOf([number(short), count])
  const rest = apart(sumOf([exact, negate(callOf('round', [exact]))]), constant(-1))
  return [rest, productOf([number(turns - short), count])]
}

/** The same value, which is above the least, as a term of its own. */
const apart = (e: Expr, least: Expr) => callOf('max', [least, e])
