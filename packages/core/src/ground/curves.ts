/**
 * Tabulated functions of laws: values at distances, joined by a natural cubic spline. Plain lists, so that laws survive JSON.
 *
 * This file checks functions and computes their splines. `language/curves.ts` is the expression that reads them.
 *
 * @source C. de Boor, A Practical Guide to Splines (1978), chapter IV
 * @module
 */
import { describe, finite, hasNames, oneOf, onlyNamed, unexpected } from './checks.ts'
import { record } from './names.ts'
import { Remembered } from './remember.ts'

/** The values beyond the first and the last distance: 0, that of the nearest end, or not a number, which a run reports. */
export type Outside = 'zero' | 'edge' | 'error'

/** Values at equal steps between two distances, or at ascending distances. */
export type Curve =
  | { readonly from: number; readonly to: number; readonly values: ArrayLike<number>; readonly outside?: Outside }
  | { readonly at: ArrayLike<number>; readonly values: ArrayLike<number>; readonly outside?: Outside }

/** One function, or one for each kind, or a row of functions for each kind. */
export type Curves = Curve | readonly Curve[] | readonly (readonly Curve[])[]

/** Functions by name. */
export type Functions = Readonly<Record<string, Curves>>

const form = '{ from: 1, to: 5, values: [...] } or { at: [...], values: [...] }'

/** Functions by name, copied. @param least the least place where one may begin; 0 for distances @throws TypeError, RangeError */
export function checkedFunctions(given: unknown, least = 0): Functions {
  if (!hasNames(given)) throw unexpected('functions', `functions by name, { u: ${form} }`, given)
  return Object.freeze(
    record(Object.entries(given).map(([name, one]) => [name, checkedCurves(one, `functions.${name}`, least)])),
  )
}

function checkedCurves(given: unknown, name: string, least: number): Curves {
  const curves = checked(given, name, least)
  const [first, ...others] = [curves].flat(2) as readonly Curve[]
  const other = others.find((one) => one.outside !== first?.outside)
  if (other)
    throw new RangeError(
      `"${name}" expected one behaviour outside in all functions, got ${first?.outside} and ${other.outside}`,
    )
  return curves
}

function checked(given: unknown, name: string, least: number): Curves {
  if (!Array.isArray(given)) return checkedCurve(given, name, least)
  if (given.length === 0) throw new RangeError(`"${name}" expected a function for each kind, got none`)
  const rows = given.map((one, n) => checked(one, `${name}[${n}]`, least))
  const [first] = rows
  const columns = (row: Curves | undefined) => (Array.isArray(row) ? row.length : undefined)
  const odd = rows.findIndex((row) => columns(row) !== columns(first))
  if (odd >= 0)
    throw new RangeError(
      `"${name}[${odd}]" expected ${columns(first) ?? 'no list of'} functions, as in row 0, got ${columns(rows[odd]) ?? 'one'}`,
    )
  return Object.freeze(rows) as Curves
}

function checkedCurve(given: unknown, name: string, least: number): Curve {
  if (!hasNames(given)) throw unexpected(name, form, given)
  const names = ['from', 'to', 'at', 'values', 'outside']
  const parts = onlyNamed(given, `part of ${name}`, names) as Readonly<Record<string, unknown>>
  const { from, to, at, values, outside: beyond = 'error' } = parts
  const outside = oneOf(beyond, `${name}.outside`, ['zero', 'edge', 'error'])
  const numbers = numbersOf(values, `${name}.values`)
  if (at === undefined) {
    const [first, last] = [finite(from, `${name}.from`, least), finite(to, `${name}.to`)]
    if (!(last > first)) throw new RangeError(`"${name}.to" expected more than ${first}, got ${last}`)
    return Object.freeze({ from: first, to: last, values: numbers, outside })
  }
  const places = numbersOf(at, `${name}.at`)
  if (from !== undefined || to !== undefined) throw new TypeError(`"${name}" expected from and to, or at, got both`)
  if (places.length !== numbers.length)
    throw new RangeError(`"${name}.values" expected ${places.length} numbers, as in at, got ${numbers.length}`)
  finite(places[0], `${name}.at[0]`, least)
  const back = places.findIndex((x, n) => n > 0 && !(x > (places[n - 1] as number)))
  if (back >= 0)
    throw new RangeError(
      `"${name}.at" expected ascending distances, got ${places[back]} at index ${back}, after ${places[back - 1]}`,
    )
  return Object.freeze({ at: places, values: numbers, outside })
}

function numbersOf(given: unknown, name: string): readonly number[] {
  const isView = ArrayBuffer.isView(given) && !(given instanceof DataView)
  if (!isView && !Array.isArray(given)) throw unexpected(name, 'a list of numbers', given)
  const list: readonly unknown[] = Array.from(given as ArrayLike<unknown>)
  if (list.length < 2) throw new RangeError(`"${name}" expected at least 2 numbers, got ${list.length}`)
  return Object.freeze(
    list.map((value, n) => {
      if (typeof value === 'number' && !Number.isFinite(value))
        throw new RangeError(`"${name}[${n}]" expected finite number, got ${describe(value)}`)
      return finite(value, `${name}[${n}]`)
    }),
  )
}

/** The cubics of a function over equal steps: `a + t*(b + t*(c + t*d))` with `t = r - x`. */
export interface Cubics {
  readonly from: number
  readonly to: number
  readonly pieces: readonly {
    readonly x: number
    readonly a: number
    readonly b: number
    readonly c: number
    readonly d: number
  }[]
}

const cubics = new Remembered<Curve, Cubics>()

export function cubicsOf(curve: Curve): Cubics {
  return cubics.of(curve, () => {
    const values = curve.values
    if ('from' in curve) {
      const { from, to } = curve
      const last = values.length - 1
      const places = Array.from(values, (_, n) => (n === last ? to : from + ((to - from) / last) * n))
      return { from, to, pieces: natural(places, values) }
    }
    return inEqualSteps(natural(curve.at, values), curve.at)
  })
}

/** The natural cubic spline: its second derivative is continuous, and 0 at both ends. */
function natural(at: ArrayLike<number>, values: ArrayLike<number>): Cubics['pieces'] {
  const last = at.length - 1
  const step = (n: number) => (at[n + 1] as number) - (at[n] as number)
  const slope = (n: number) => ((values[n + 1] as number) - (values[n] as number)) / step(n)
  // Half of the second derivatives, from a tridiagonal system.
  const c = new Float64Array(last + 1)
  const ratio = new Float64Array(last + 1)
  for (let n = 1; n < last; n++) {
    const pivot = 2 * (step(n - 1) + step(n)) - step(n - 1) * (ratio[n - 1] as number)
    ratio[n] = step(n) / pivot
    c[n] = (3 * (slope(n) - slope(n - 1)) - step(n - 1) * (c[n - 1] as number)) / pivot
  }
  for (let n = last - 1; n > 0; n--) c[n] = (c[n] as number) - (ratio[n] as number) * (c[n + 1] as number)
  return Array.from({ length: last }, (_, n) => {
    const [here, next, h] = [c[n] as number, c[n + 1] as number, step(n)]
    return {
      x: at[n] as number,
      a: values[n] as number,
      b: slope(n) - (h * (2 * here + next)) / 3,
      c: here,
      d: (next - here) / (3 * h),
    }
  })
}

/** Steps per least distance of two nodes, and the most steps. */
const finer = 64
const mostSteps = 2 ** 16

/**
 * A spline over other steps. A cubic with the values and slopes of the spline equals it in each step, except in those with a node
 * inside: there it differs by less than the 64th part of a step to the third power.
 */
function inEqualSteps(pieces: Cubics['pieces'], at: ArrayLike<number>): Cubics {
  const [from, to] = [at[0] as number, at[at.length - 1] as number]
  const least = Math.min(...pieces.slice(1).map(({ x }, n) => x - (pieces[n] as (typeof pieces)[number]).x), to - from)
  const wanted = Math.ceil(((to - from) / least) * finer)
  const steps = Math.min(wanted, mostSteps)
  if (wanted > 16 * mostSteps)
    throw new RangeError(
      `"at" expected distances at least ${(to - from) / 16384} apart, got ${least}; use fewer distances`,
    )
  let n = 0
  const value = (r: number): readonly [number, number] => {
    while (n + 1 < pieces.length && r >= (pieces[n + 1] as (typeof pieces)[number]).x) n++
    const { x, a, b, c, d } = pieces[n] as (typeof pieces)[number]
    const t = r - x
    return [a + t * (b + t * (c + t * d)), b + t * (2 * c + 3 * t * d)]
  }
  const h = (to - from) / steps
  const nodes = Array.from({ length: steps + 1 }, (_, k) => value(k === steps ? to : from + h * k))
  return {
    from,
    to,
    pieces: nodes.slice(1).map(([y1, s1], k) => {
      const [y0, s0] = nodes[k] as readonly [number, number]
      const mean = (y1 - y0) / h
      return { x: from + h * k, a: y0, b: s0, c: (3 * mean - 2 * s0 - s1) / h, d: (s0 + s1 - 2 * mean) / (h * h) }
    }),
  }
}
