/**
 * The expression language beneath the laws: trees and their builders, and every visitor. The entry
 * `@manybody/core/expression`.
 *
 * @module
 */
export { differentiate } from './expression/differentiate.ts'
export { type Evaluator, evaluate, evaluator } from './expression/evaluate.ts'
export { expandPowers, type RootStyle } from './expression/expand-powers.ts'
export {
  type Accuracy,
  type AccuracyRange,
  functionAccuracy,
  largestError,
  type OperationName,
} from './expression/function-accuracy.ts'
export { type FunctionName, functions, type Signature, type ValueType } from './expression/functions.ts'
export { type Infix, type InfixDialect, infixLanguage, toText } from './expression/infix.ts'
export { type LibraryFunction, type LibraryName, library, preludeOf } from './expression/library.ts'
export {
  type Call,
  type Constant,
  call,
  children,
  constant,
  dependsOn,
  divide,
  type Expr,
  type ExprKind,
  isCondition,
  key,
  negate,
  type Power,
  type Product,
  power,
  product,
  type Sum,
  type SymbolNode,
  sqrt,
  subtract,
  sum,
  symbol,
  symbolsOf,
} from './expression/nodes.ts'
export { parse, type Scope } from './expression/parse.ts'
export { type Language, render } from './expression/render.ts'
export {
  type Binding,
  type Given,
  type Schedule,
  type ScheduleOptions,
  type Stage,
  schedule,
} from './expression/schedule.ts'
export { factor, simplify, substitute } from './expression/simplify.ts'
