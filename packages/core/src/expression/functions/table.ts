/**
 * The closed list of functions that an expression may call. Each is defined whole in a file of this folder; square roots
 * and constant powers are not here, as they are `power` nodes.
 *
 * Everything that must know all functions reads this table. What has entries for some of them, by name, does not compile
 * before it has those that it needs: see the list in CONTRIBUTING.md.
 *
 * @module
 */
import { atan2 } from './atan2.ts'
import { and, equal, less, lessEqual, not, or, select } from './choices.ts'
import type { ChoiceFunction, NumericFunction } from './definition.ts'
import { erf, erfc } from './error-functions.ts'
import { exp } from './exp.ts'
import { log } from './log.ts'
import { max, min } from './min-max.ts'
import { pow } from './pow.ts'
import { ceil, floor, round } from './rounding.ts'
import { abs, sign, step } from './sign.ts'
import { tanh } from './tanh.ts'
import { cos, sin, tan } from './trigonometric.ts'

/** Functions of numbers. */
export type NumericName =
  | ('exp' | 'log' | 'sin' | 'cos' | 'tan' | 'tanh' | 'erf' | 'erfc')
  | ('abs' | 'sign' | 'floor' | 'ceil' | 'round' | 'step')
  | ('atan2' | 'min' | 'max' | 'pow')

/** Functions that take or give a condition. */
export type ChoiceName = 'select' | 'less' | 'lessEqual' | 'equal' | 'and' | 'or' | 'not'

export type FunctionName = NumericName | ChoiceName

export const functions: Readonly<Record<NumericName, NumericFunction> & Record<ChoiceName, ChoiceFunction>> = {
  exp,
  log,
  sin,
  cos,
  tan,
  tanh,
  erf,
  erfc,
  abs,
  sign,
  floor,
  ceil,
  round,
  step,
  atan2,
  min,
  max,
  pow,
  select,
  less,
  lessEqual,
  equal,
  and,
  or,
  not,
}

/** The names of all functions, in the order of the table. */
export const functionNames: readonly FunctionName[] = Object.keys(functions) as FunctionName[]

export const numericNames: readonly NumericName[] = functionNames.filter(
  (name): name is NumericName => 'value' in functions[name],
)
