/**
 * The closed list of functions that an expression may call. Each is defined in one file of this folder. Square roots and
 * constant powers are not here, because they are `power` nodes.
 *
 * Code that must know all functions reads this table, or is a record by name that does not compile until it is complete: see
 * the list in CONTRIBUTING.md.
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
import { sech } from './sech.ts'
import { abs, sign, step } from './sign.ts'
import { tanh } from './tanh.ts'
import { cos, sin, tan } from './trigonometric.ts'

/** Functions of numbers. */
export type NumericName =
  | ('exp' | 'log' | 'sin' | 'cos' | 'tan' | 'tanh' | 'sech' | 'erf' | 'erfc')
  | ('abs' | 'sign' | 'floor' | 'ceil' | 'round' | 'step')
  | ('atan2' | 'min' | 'max' | 'pow')

/** Functions that take or return a condition. */
export type ChoiceName = 'select' | 'less' | 'lessEqual' | 'equal' | 'and' | 'or' | 'not'

export type FunctionName = NumericName | ChoiceName

export const functions: Readonly<Record<NumericName, NumericFunction> & Record<ChoiceName, ChoiceFunction>> = {
  exp,
  log,
  sin,
  cos,
  tan,
  tanh,
  sech,
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
