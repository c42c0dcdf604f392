/**
 * Float64 evaluation: a tree becomes a closure over one array of values. This is what the reference backend runs.
 *
 * Closures, not generated source: no `eval`, so it works under a strict Content-Security-Policy.
 *
 * @module
 */
import { Remembered } from '../remember.ts'
import type { Expr } from './nodes.ts'
import { type Language, render } from './render.ts'
import { erf, erfc, greatest, least, roundHalfEven, signum } from './special-functions.ts'

/** The value of an expression, given the values of its symbols in their slots. Conditions are 1 or 0. */
export type Evaluator = (values: Float64Array) => number

const unary = (f: (x: number) => number) => (a: Evaluator) => (v: Float64Array) => f(a(v))
const binary = (f: (x: number, y: number) => number) => (a: Evaluator, b: Evaluator) => (v: Float64Array) =>
  f(a(v), b(v))

function powerOf(a: Evaluator, exponent: number): Evaluator {
  if (exponent === 0.5) return (v) => Math.sqrt(a(v))
  if (exponent === -0.5) return (v) => 1 / Math.sqrt(a(v))
  if (exponent === 2) {
    return (v) => {
      const x = a(v)
      return x * x
    }
  }
  return (v) => a(v) ** exponent
}

const float64 = (slot: (name: string) => number): Language<Evaluator> => ({
  constant: (value) => () => value,
  symbol: (name) => {
    const index = slot(name)
    return (v) => v[index] as number
  },
  add: (a, b) => (v) => a(v) + b(v),
  subtract: (a, b) => (v) => a(v) - b(v),
  multiply: (a, b) => (v) => a(v) * b(v),
  divide: (a, b) => (v) => a(v) / b(v),
  negate: (a) => (v) => -a(v),
  power: powerOf,
  call: {
    exp: unary(Math.exp),
    log: unary(Math.log),
    sin: unary(Math.sin),
    cos: unary(Math.cos),
    tan: unary(Math.tan),
    tanh: unary(Math.tanh),
    erf: unary(erf),
    erfc: unary(erfc),
    abs: unary(Math.abs),
    sign: unary(signum),
    floor: unary(Math.floor),
    ceil: unary(Math.ceil),
    round: unary(roundHalfEven),
    step: (a) => (v) => (a(v) >= 0 ? 1 : 0),
    atan2: binary(Math.atan2),
    min: binary(least),
    max: binary(greatest),
    pow: binary(Math.pow),
    select: (when, a, b) => (v) => (when?.(v) ? a?.(v) : b?.(v)) as number,
    less: (a, b) => (v) => (a(v) < b(v) ? 1 : 0),
    lessEqual: (a, b) => (v) => (a(v) <= b(v) ? 1 : 0),
    equal: (a, b) => (v) => (a(v) === b(v) ? 1 : 0),
    and: (a, b) => (v) => (a(v) && b(v) ? 1 : 0),
    or: (a, b) => (v) => (a(v) || b(v) ? 1 : 0),
    not: (a) => (v) => (a(v) ? 0 : 1),
  },
})

const compiled = new Remembered<Expr, Evaluator>()

/**
 * Compiles an expression; `slots` lists its symbols in the order of the array that the evaluator will be given.
 * The same tree with the same slots is compiled once: programs run many times.
 */
export function evaluator(e: Expr, slots: readonly string[]): Evaluator {
  return compiled.of(e, () => compile(e, slots), slots.join())
}

function compile(e: Expr, slots: readonly string[]): Evaluator {
  return render(
    e,
    float64((name) => {
      const index = slots.indexOf(name)
      if (index < 0) throw new Error(`no value for "${name}": given are ${slots.join(', ') || 'none'}`)
      return index
    }),
  )
}

/** Evaluates once, with the values by name. */
export function evaluate(e: Expr, values: Readonly<Record<string, number>> = {}): number {
  return evaluator(e, Object.keys(values))(Float64Array.from(Object.values(values)))
}
