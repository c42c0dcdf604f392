/**
 * Float32 arithmetic as the operator table of a device, written as JavaScript. Every operation is rounded. Operations that GPUs may get
 * wrong by a few units in the last place get such errors here.
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
import { functionErrors } from '../../../core/src/language/functions/errors.ts'
import { arithmeticOf, type LocalError } from '../../../core/src/truth/error-analysis/arithmetic.ts'

/** Computes an expression from the values of its symbols in their slots. */
export type Value = (values: Float64Array) => number

/** Largest errors in units in the last place, before the result is rounded. */
export interface Roughness {
  readonly root: number
  readonly division: number
  /** The error of exponentials. 2 per unit of the argument is added to it. */
  readonly exponential: number
  /** Whether every result is off on the same side, as far as allowed. */
  readonly oneSided?: boolean
  /** Whether all functions are as inexact as the table of functions allows, exponentials included. */
  readonly functions?: boolean
}

/** Correctly rounded, as on processors. */
export const exact: Roughness = { root: 0, division: 0, exponential: 0 }

/**
 * Half of WGSL's allowance for quotients (2.5 ulp), 0.4 of its allowance for roots (2 ulp), and all of it for exponentials (3 + 2|x| ulp).
 * With roots off by 1 ulp, one case of the suite is off by 3.1e-6 where it allows 3e-6.
 */
export const graphics: Roughness = { root: 0.8, division: 1.25, exponential: 3 }

const ulp = 2 ** -23
const graphicsArithmetic = arithmeticOf({ precision: 'f32', kind: 'hardware' })

export interface RoundingLanguage {
  /** An expression as JavaScript over `v`, the values of its symbols in their slots. */
  readonly language: Language<string>
  readonly value: (code: string) => Value
  /** Puts each value into its slot, in order. */
  readonly assignments: (list: readonly (readonly [slot: number, code: string])[]) => (values: Float64Array) => void
}

/** A double, and its two words. */
function views(): readonly [Float64Array, Uint32Array] {
  const double = new Float64Array(1)
  return [double, new Uint32Array(double.buffer)]
}

/** @param slot the slot of a symbol */
export function roundingLanguage(
  { root, division, exponential, oneSided = false, functions: inexact = false }: Roughness,
  slot: (name: string) => number,
): RoundingLanguage {
  const [double, words] = views()
  /** Errors spread evenly over the allowed range, of a value always the same, as on a device; or the largest of them. */
  const share = (value: number): number => {
    if (oneSided) return 1
    double[0] = value
    let h = Math.imul((words[0] as number) ^ Math.imul(words[1] as number, 0x9e3779b1), 0x85ebca6b)
    h = Math.imul(h ^ (h >>> 15), 0xc2b2ae35)
    return (h ^ (h >>> 16)) / 2 ** 31
  }
  const rough = (x: number, units: number): number => Math.fround(x * (1 + units * ulp * share(x)))
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
      const moved = value + (most > 0 && Number.isFinite(most) ? share(value) * most : 0)
      return Math.fround(bounded ? Math.max(0, moved) : moved)
    }
    const given = new Float64Array(parameters.length)
    return (x: number, y: number, z: number): number => {
      given[0] = x
      given[1] = y
      given[2] = z
      if (allowed) return asAllowed(compute(given), given, allowed)
      const exact = compute(given)
      return units ? rough(exact, units + 2 * Math.min(Math.abs(x), 1000)) : Math.fround(exact)
    }
  }
  const names = Object.keys(functions) as FunctionName[]
  const known = {
    round: Math.fround,
    rough,
    functions: Object.fromEntries(names.map((name) => [name, inFloat64(name)])),
  }
  const written =
    (name: FunctionName) =>
    (...operands: readonly string[]) =>
      `functions.${name}(${operands})`
  const off = (code: string, units: number) => (units ? `rough(${code}, ${units})` : `round(${code})`)
  const compiled = (body: string) =>
    new Function(...Object.keys(known), `return (v) => { ${body} }`)(...Object.values(known))
  return {
    language: {
      constant: (value) => `${Math.fround(value)}`,
      symbol: (name) => `v[${slot(name)}]`,
      add: (a, b) => `round(${a} + ${b})`,
      subtract: (a, b) => `round(${a} - ${b})`,
      multiply: (a, b) => `round(${a} * ${b})`,
      divide: (a, b) => off(`${a} / ${b}`, division),
      negate: (a) => `(-${a})`,
      power: (base, exponent) => off(`(${base}) ** ${exponent}`, Math.abs(exponent) === 0.5 ? root : 2 * root),
      call: {
        ...(Object.fromEntries(names.map((name) => [name, written(name)])) as Language<string>['call']),
        // Compute only the chosen operand, because the other may be anything.
        select: (when, a, b) => `(${when} ? ${a} : ${b})`,
      },
    },
    value: (code) => compiled(`return ${code}`),
    assignments: (list) => compiled(list.map(([at, code]) => `v[${at}] = ${code}`).join('; ')),
  }
}
