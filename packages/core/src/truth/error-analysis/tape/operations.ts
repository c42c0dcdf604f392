/**
 * Steps that compute: sums, products, powers and functions of numbers. Each adds the propagated errors of its operands
 * (`expression/functions/errors.ts`) and the error of the operation itself (`arithmetic.ts`). Backends may add and multiply in
 * any order, so a sum of several terms gets the error of the worst order; products lose the same in every order.
 *
 * @module
 */
import { functionErrors } from '../../../language/functions/errors.ts'
import { functions, type NumericName } from '../../../language/functions/table.ts'
import type { Arithmetic } from '../arithmetic.ts'
import { type Join, linear, quadrature, reach, times } from '../parts.ts'
import type { AnalysisStep } from './decisions.ts'
import { propagatePower } from './powers.ts'

/** Makes the step of a slot. Its own rounding is random if the operands differ from run to run. */
type StepOf = (k: number, random: boolean) => AnalysisStep

/**
 * @param additions how many roundings the sum has in the worst order
 * @param once whether there is only one order, so that the rounding is the rounding of the sum
 * @param join how the random parts of the terms combine
 */
export function addition(
  { unit, least }: Arithmetic,
  terms: readonly number[],
  { additions, once, join }: { readonly additions: number; readonly once: boolean; readonly join: Join },
): StepOf {
  return (k, random) => (v, e, s, r) => {
    let [value, error, systematic, deviation, size] = [0, 0, 0, 0, 0]
    for (const slot of terms) {
      const x = v[slot] as number
      value += x
      error += e[slot] as number
      systematic += s[slot] as number
      deviation = join(deviation, r[slot] as number)
      size += Math.abs(x)
    }
    const rounded = unit * (once ? Math.abs(value) : size)
    const [own, tiny] = [rounded * additions, error > 0 ? least : 0]
    v[k] = value
    e[k] = error + own + tiny
    s[k] = systematic + tiny + (random ? 0 : own)
    r[k] = random ? quadrature(deviation, rounded * Math.sqrt(additions)) : deviation
  }
}

/** @param whole false for a part of a longer product, because devices may group the factors in other ways */
export function multiplication(
  { unit, lost }: Arithmetic,
  [a, b]: readonly [number, number],
  { whole, join }: { readonly whole: boolean; readonly join: Join },
): StepOf {
  return (k, random) => (v, e, s, r) => {
    const [x, y, ex, ey] = [v[a] as number, v[b] as number, e[a] as number, e[b] as number]
    const value = x * y
    v[k] = value
    const exact = x === 0 || y === 0 || (ex === 0 && Math.abs(x) === 1) || (ey === 0 && Math.abs(y) === 1)
    const error = times(Math.abs(x), ey) + times(Math.abs(y) + ey, ex)
    const rounded = exact ? 0 : unit * Math.abs(value)
    const below = exact || !whole ? 0 : lost(value, error)
    const systematic = times(Math.abs(x), s[b] as number) + times(Math.abs(y), s[a] as number) + times(ex, ey)
    const deviation = join(times(Math.abs(x), r[b] as number), times(Math.abs(y), r[a] as number))
    e[k] = error + rounded + below
    s[k] = systematic + below + (random ? 0 : rounded)
    r[k] = random ? quadrature(deviation, rounded) : deviation
  }
}

/** @param rooted whether a device may form the power from an inverse root of its base */
export function exponentiation(
  arithmetic: Arithmetic,
  a: number,
  {
    exponent,
    rooted,
    nonnegative,
  }: { readonly exponent: number; readonly rooted: boolean; readonly nonnegative: boolean },
): StepOf {
  const local = arithmetic.power(exponent, rooted)
  return (k, random) => (v, e, s, r, l) => {
    const x = v[a] as number
    const ex = reach(x, e[a] as number, l[a] as number)
    const value = exponent === 0.5 ? Math.sqrt(x) : x ** exponent
    v[k] = value
    const moved = propagatePower(value, x, ex, exponent, nonnegative)
    const below = value === 0 ? 0 : arithmetic.lost(value, moved + local.largest(value, x))
    e[k] = moved + local.largest(value, x) + below
    const share = linear(moved, x, ex)
    const own = random ? local.systematic(value, x) : local.largest(value, x)
    s[k] = (share === undefined ? moved : times(share, s[a] as number)) + own + below
    const deviation = share === undefined ? 0 : times(share, r[a] as number)
    r[k] = random ? quadrature(deviation, local.random(value)) : deviation
  }
}

/** A function, by its own rules. Its own error is systematic, because approximations are off on one side. */
export function application(arithmetic: Arithmetic, name: NumericName, operands: readonly number[]): StepOf {
  const { value } = functions[name]
  const { propagation, jumps = false } = functionErrors[name]
  const local = arithmetic.local(name)
  const [a, b = a] = operands as readonly [number, number?]
  const linearly = operands.length === 1 && !jumps
  return (k) => (v, e, s, r, l) => {
    const [x, y] = [v[a] as number, v[b] as number]
    const [ex, ey] = [reach(x, e[a] as number, l[a] as number), reach(y, e[b] as number, l[b] as number)]
    const result = value(x, y)
    const [moved, own] = [propagation(result, x, ex, y, ey), local(result, x, y, ex)]
    const share = linearly ? linear(moved, x, ex) : undefined
    v[k] = result
    e[k] = moved + own
    s[k] = (share === undefined ? moved : times(share, s[a] as number)) + own
    r[k] = share === undefined ? 0 : times(share, r[a] as number)
  }
}
