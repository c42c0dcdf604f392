/**
 * Float32 arithmetic as the operator table of a device. Every operation is rounded, and operations that GPUs may get wrong by
 * a few units in the last place are.
 *
 * @module
 */
import {
  call,
  type Evaluator,
  evaluator,
  type FunctionName,
  functions,
  type Language,
  symbol,
} from '@manybody/core/expression'
import { arithmeticOf, type LocalError } from '../../../core/src/error-analysis/arithmetic.ts'
import { functionErrors } from '../../../core/src/expression/functions/errors.ts'
import { randomOf } from '../../src/random.ts'

/** Computes an expression from the values of its symbols in their slots. */
export type Value = (values: Float64Array) => number

/** Largest errors in units in the last place, before the result is rounded. */
export interface Roughness {
  readonly root: number
  readonly division: number
  /** The error of exponentials, to which 2 per unit of the argument is added. */
  readonly exponential: number
  /** Whether every result is off on the same side, as far as allowed. */
  readonly oneSided?: boolean
  /** Whether all functions are as inexact as the table of functions allows, exponentials included. */
  readonly functions?: boolean
}

/** Correctly rounded, as on processors. */
export const exact: Roughness = { root: 0, division: 0, exponential: 0 }

/** Half of what WGSL allows for roots and quotients (2 and 2.5 ulp), all of it for exponentials (3 + 2|x| ulp). */
export const graphics: Roughness = { root: 1, division: 1.25, exponential: 3 }

const ulp = 2 ** -23
const graphicsArithmetic = arithmeticOf({ precision: 'f32', kind: 'hardware' })

/** @param slot the slot of a symbol */
export function roundingLanguage(
  { root, division, exponential, oneSided = false, functions: inexact = false }: Roughness,
  slot: (name: string) => number,
): Language<Value> {
  const random = randomOf(1)
  /** Errors spread evenly over the allowed range, the same in every run; or the largest of them. */
  const share = () => (oneSided ? 1 : random.uniform(-1, 1))
  const rough = (x: number, units: number): number => Math.fround(x * (1 + units * ulp * share()))
  const binary =
    (f: (x: number, y: number) => number, units = 0) =>
    (a: Value, b: Value): Value =>
    (values) =>
      rough(f(a(values), b(values)), units)
  const inFloat64 = (name: FunctionName) => {
    const definition = functions[name]
    const { parameters } = definition
    const slots = parameters.map((_, n) => `x${n}`)
    const compute: Evaluator = evaluator(call(name, ...slots.map(symbol)), slots)
    const units = name === 'exp' ? exponential : 0
    const bounded = 'range' in definition && definition.range !== 'all'
    const allowed = inexact && name in functionErrors ? graphicsArithmetic.local(name) : undefined
    /** Within the table, after the result is rounded. */
    const asAllowed = (value: number, [x = 0, y = 0]: Float64Array, error: LocalError): number => {
      const most = error(value, x, y) - graphicsArithmetic.unit * Math.abs(value) - graphicsArithmetic.least
      const moved = value + (most > 0 && Number.isFinite(most) ? share() * most : 0)
      return Math.fround(bounded ? Math.max(0, moved) : moved)
    }
    return (...operands: readonly Value[]): Value => {
      const given = new Float64Array(operands.length)
      return (values) => {
        for (const [n, operand] of operands.entries()) given[n] = operand(values)
        if (allowed) return asAllowed(compute(given), given, allowed)
        return rough(compute(given), units ? units + 2 * Math.min(Math.abs(given[0] as number), 1000) : 0)
      }
    }
  }
  const calls = Object.fromEntries((Object.keys(functions) as FunctionName[]).map((name) => [name, inFloat64(name)]))
  return {
    constant: (value) => () => Math.fround(value),
    symbol: (name) => {
      const at = slot(name)
      return (values) => values[at] as number
    },
    add: binary((x, y) => x + y),
    subtract: binary((x, y) => x - y),
    multiply: binary((x, y) => x * y),
    divide: binary((x, y) => x / y, division),
    negate: (a) => (values) => -a(values),
    power: (base, exponent) => (values) =>
      rough(base(values) ** exponent, Math.abs(exponent) === 0.5 ? root : 2 * root),
    call: {
      ...(calls as Language<Value>['call']),
      // Compute only the chosen operand, because the other may be anything.
      select: (when, a, b) => (values) => (when?.(values) ? a?.(values) : b?.(values)) as number,
    },
  }
}
