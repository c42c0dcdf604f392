/**
 * Float64 evaluation: a tree becomes a closure over one array of values. The reference backend runs these closures.
 *
 * Closures, not generated source: no `eval`, so it works under a strict Content-Security-Policy.
 *
 * @module
 */
import { Remembered } from '../ground/remember.ts'
import { type ChoiceName, type FunctionName, functions } from './functions/table.ts'
import { type Expr, nodesOf } from './nodes.ts'
import { partsOf } from './parts.ts'
import { type Language, render } from './render.ts'
import { play } from './tape.ts'
import { tapeOf } from './write-tape.ts'

/** The value of an expression, given the values of its symbols in their slots. Conditions are 1 or 0. */
export type Evaluator = (values: Float64Array) => number

/** Products and roots round at most two times more than a power, and engines take a sixth of the time for them. */
function powerOf(a: Evaluator, exponent: number): Evaluator {
  if (exponent < 0) {
    const below = powerOf(a, -exponent)
    return (v) => 1 / below(v)
  }
  if (exponent === 0.5) return (v) => Math.sqrt(a(v))
  if (exponent === 1.5) {
    return (v) => {
      const x = a(v)
      return x * Math.sqrt(x)
    }
  }
  if (exponent === 2) {
    return (v) => {
      const x = a(v)
      return x * x
    }
  }
  if (exponent === 3) {
    return (v) => {
      const x = a(v)
      return x * x * x
    }
  }
  return (v) => a(v) ** exponent
}

/**
 * Makes closures for one expression only, because JavaScript engines would mix the types seen by shared closures. They take longer to make
 * than a number to compute, so only functions that the expression calls get any.
 */
const float64 = (e: Expr, slot: (name: string) => number): Language<Evaluator> => ({
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
  call: callsIn(e),
})

type Call = (a: Evaluator, b: Evaluator, c: Evaluator) => Evaluator

/** The functions that an expression calls. */
function callsIn(e: Expr): Language<Evaluator>['call'] {
  const calls: Partial<Record<FunctionName, Call>> = {}
  for (const node of nodesOf(e)) if (node.kind === 'call') calls[node.name] ??= callOf(node.name)
  return calls as Language<Evaluator>['call']
}

function callOf(name: FunctionName): Call {
  const called = functions[name]
  if (!('value' in called)) return choiceCalls()[name as ChoiceName]
  const { value, operands } = called
  return operands.length === 1 ? (a) => (v) => value(a(v)) : (a, b) => (v) => value(a(v), b(v))
}

/** Conditions are 1 or 0. The operand that is not chosen is not computed. */
const choiceCalls = (): { readonly [C in ChoiceName]: Call } => ({
  select: (when, a, b) => (v) => (when(v) ? a(v) : b(v)),
  less: (a, b) => (v) => (a(v) < b(v) ? 1 : 0),
  lessEqual: (a, b) => (v) => (a(v) <= b(v) ? 1 : 0),
  equal: (a, b) => (v) => (a(v) === b(v) ? 1 : 0),
  and: (a, b) => (v) => (a(v) && b(v) ? 1 : 0),
  or: (a, b) => (v) => (a(v) || b(v) ? 1 : 0),
  not: (a) => (v) => (a(v) ? 0 : 1),
})

const compiled = new Remembered<Expr, Evaluator>()

/**
 * Compiles an expression; `slots` lists its symbols in the order of the array that the evaluator will be given.
 * Compiles the same tree with the same slots once, because programs run many times.
 */
export function evaluator(e: Expr, slots: readonly string[]): Evaluator {
  return compiled.of(e, () => compile(e, slots), slots.join())
}

function compile(e: Expr, slots: readonly string[]): Evaluator {
  const { whole, definitions } = partsOf(e)
  const places = [...slots, ...definitions.map(({ name }) => name)]
  const language = float64(e, (name) => {
    const index = places.indexOf(name)
    if (index < 0) throw new Error(`expected a value for "${name}", got ${slots.join(', ') || 'none'}`)
    return index
  })
  const value = render(whole, language)
  if (definitions.length === 0) return value
  const parts = definitions.map(({ expr }) => render(expr, language))
  const all = new Float64Array(places.length)
  return (v) => {
    all.set(v.subarray(0, slots.length))
    for (const [n, part] of parts.entries()) all[slots.length + n] = part(all)
    return value(all)
  }
}

/** Evaluates once, with the values by name. */
export function evaluate(e: Expr, values: Readonly<Record<string, number>> = {}): number {
  if (e.kind === 'constant') return e.value
  return evaluator(e, Object.keys(values))(new Float64Array(Object.values(values)))
}

/** Evaluates once, and passes the value of each step through `round`, for a narrower format. */
export const evaluateInSteps = (
  e: Expr,
  values: Readonly<Record<string, number>>,
  round: (value: number) => number,
): number => play(tapeOf([e]), values, { round })[0] as number
