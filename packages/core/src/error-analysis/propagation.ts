/**
 * How far the result of a function may be off if its operands are off: one rule a function, right for errors of any size,
 * so that a pole or a jump within reach gives an infinite or a large error and not a wrong small one.
 *
 * @module
 */
import type { FunctionName } from '../expression/functions.ts'

/**
 * The largest change of the value when each operand moves by up to its error.
 *
 * @param value of the function at the operands
 */
export type Propagation = (value: number, x: number, ex: number, y: number, ey: number) => number

const infinite = Number.POSITIVE_INFINITY

/** Of a function that never falls: the farther of the two ends. */
const monotone =
  (f: (x: number) => number): Propagation =>
  (value, x, ex) =>
    ex === 0 ? 0 : Math.max(f(x + ex) - value, value - f(x - ex))

/** Of a function whose slope is largest nearest to 0, and whose values span at most `span`. */
const steepestAtZero =
  (slope: (size: number) => number, span: number): Propagation =>
  (_, x, ex) =>
    ex === 0 ? 0 : Math.min(slope(Math.max(0, Math.abs(x) - ex)) * ex, span)

const gaussian = steepestAtZero((x) => (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x), 2)
const wave: Propagation = (_, _x, ex) => Math.min(ex, 2)

/** `1 + relative` errors of a power: `|x|^n` with x off by `e`; infinite where the base may cross 0. */
export function propagatePower(value: number, x: number, ex: number, n: number, nonnegative: boolean): number {
  if (ex === 0) return 0
  const size = Math.abs(x)
  const whole = Number.isInteger(n)
  if (ex < size) {
    const along = n < 0 ? -Math.log1p(-ex / size) : Math.log1p(ex / size)
    return Math.abs(value) * Math.expm1(Math.abs(n) * (n > 0 && n < 1 ? -Math.log1p(-ex / size) : along))
  }
  if (n < 0 || !(whole || nonnegative)) return infinite
  return Math.max((size + ex) ** n - (whole ? 0 : Math.abs(value)), 0) + Math.abs(value)
}

const select: Propagation = () => 0

/** Conditions and `select` are decided or not: `tape.ts` knows which. */
export const propagation: Readonly<Record<FunctionName, Propagation>> = {
  exp: (value, _, ex) => value * Math.expm1(ex),
  log: (_, x, ex) => (ex === 0 ? 0 : ex < Math.abs(x) ? -Math.log1p(-ex / Math.abs(x)) : infinite),
  sin: wave,
  cos: wave,
  tan: (value, x, ex) => {
    if (ex === 0) return 0
    const beyond = Math.abs(x / Math.PI - Math.round(x / Math.PI)) * Math.PI + ex
    return beyond < Math.PI / 2 ? (1 + Math.max(Math.tan(beyond) ** 2, value ** 2)) * ex : infinite
  },
  tanh: steepestAtZero((x) => 1 / Math.cosh(x) ** 2, 2),
  erf: gaussian,
  erfc: gaussian,
  abs: (_, _x, ex) => ex,
  sign: monotone(Math.sign),
  floor: monotone(Math.floor),
  ceil: monotone(Math.ceil),
  round: monotone(Math.round),
  step: monotone((x) => (x >= 0 ? 1 : 0)),
  atan2: (_, y, ey, x, ex) => {
    const away = Math.hypot(ex, ey)
    if (away === 0) return 0
    // Across the negative axis, and around the origin, the angle jumps by a full turn.
    if ((x - ex <= 0 && Math.abs(y) <= ey) || away >= Math.hypot(x, y)) return 2 * Math.PI
    return Math.asin(away / Math.hypot(x, y))
  },
  min: (value, x, ex, y, ey) =>
    x === value && x + ex < y - ey ? ex : y === value && y + ey < x - ex ? ey : Math.max(ex, ey),
  max: (value, x, ex, y, ey) =>
    x === value && x - ex > y + ey ? ex : y === value && y - ey > x + ex ? ey : Math.max(ex, ey),
  pow: (value, x, ex, y, ey) => {
    if (ex === 0 && ey === 0) return 0
    if (ex >= Math.abs(x)) return y - ey > 0 && x >= 0 ? (x + ex) ** (y - ey) + (x + ex) ** (y + ey) + value : infinite
    const logarithm = -Math.log1p(-ex / Math.abs(x))
    const exponent = (Math.abs(y) + ey) * logarithm + Math.abs(Math.log(Math.abs(x))) * ey
    return Math.abs(value) * Math.expm1(exponent)
  },
  select,
  less: select,
  lessEqual: select,
  equal: select,
  and: select,
  or: select,
  not: select,
}
