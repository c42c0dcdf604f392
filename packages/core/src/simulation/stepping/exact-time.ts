/**
 * Arithmetic of a number that float32 holds exactly, such as a count of steps, whose product with a rate it does not hold.
 *
 * Expressions are simplified as if numbers were exact. A maximum that changes nothing keeps sums from being merged.
 *
 * @module
 */
import { callOf, productOf, sumOf } from '../../language/canonical.ts'
import { constant, type Expr, negate } from '../../language/nodes.ts'

/** `x + by` with the digits of the device, however near 0 it is. */
export function shifted(x: Expr, by: number): Expr {
  const near = Math.fround(by)
  if (near === by || !Number.isFinite(near)) return sumOf([x, constant(by)])
  return sumOf([apart(sumOf([x, constant(near)]), 3e38), constant(by - near)])
}

/** So many units make the greater part of a number: products of two numbers up to it are exact in float32. */
const part = 4096

/**
 * The angle `rate*x`, less whole turns. Of `x` it takes the nearest multiple of a coarse unit, of the rest that of a fine one,
 * in which the angle turns once at most. How far the angle turns in a unit is known in float64, and has two parts: 12 digits,
 * whose product with a multiple is exact, so that whole turns can be taken off, and a small rest.
 */
export function angleOf(x: Expr, rate: number): Expr {
  const turns = rate / (2 * Math.PI)
  const fine = 2 ** Math.max(-100, Math.min(100, Math.floor(-Math.log2(Math.abs(turns)))))
  const coarse = part * fine
  const coarsely = multiple(x, coarse)
  const rest = apart(sumOf([x, scaled(-coarse, coarsely)]), coarse)
  const finely = multiple(rest, fine)
  const last = apart(sumOf([rest, scaled(-fine, finely)]), fine)
  const all = [...turned(coarsely, turns * coarse), ...turned(finely, turns * fine), scaled(turns, last)]
  return scaled(2 * Math.PI, sumOf(all))
}

/** An angle in float64 less whole turns. */
export const withoutTurns = (angle: number): number => 2 * Math.PI * fraction(angle / (2 * Math.PI))

const fraction = (x: number) => x - Math.round(x)

/** Turns after a whole number of units, less whole ones. */
function turned(count: Expr, turnsOfOne: number): readonly Expr[] {
  const turns = fraction(turnsOfOne)
  const short = Math.round(turns * part) / part
  const exact = scaled(short, count)
  return [apart(sumOf([exact, negate(callOf('round', [exact]))]), 1), scaled(turns - short, count)]
}

const scaled = (by: number, e: Expr) => productOf([constant(by), e])

const multiple = (x: Expr, of: number) => callOf('round', [scaled(1 / of, x)])

/** The same value, which is above `-most`, as a term of its own. */
const apart = (e: Expr, most: number) => callOf('max', [constant(-most), e])
