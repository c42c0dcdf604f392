/**
 * The expression language of the laws: trees, their builders, and every visitor. This is the entry
 * `@manybody/core/expression`.
 *
 * @module
 */

export { differentiate } from './language/differentiate.ts'
export { type Evaluator, evaluate, evaluator } from './language/evaluate.ts'
export { expandPowers, type RootStyle } from './language/expand-powers.ts'
export type { ChoiceFunction, NumericFunction, Signature, ValueType } from './language/functions/definition.ts'
export {
  type ChoiceName,
  type FunctionName,
  functionNames,
  functions,
  type NumericName,
  numericNames,
} from './language/functions/table.ts'
export {
  type Infix,
  type InfixDialect,
  infixLanguage,
  type Spellings,
  toText,
  usualSpellings,
} from './language/infix.ts'
export { isLong, isRepeated } from './language/limit-size.ts'
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
} from './language/nodes.ts'
export { parse } from './language/parse.ts'
export { type Rules, rebuildWith } from './language/rebuild.ts'
export { type Language, render } from './language/render.ts'
export {
  type Binding,
  type Given,
  type Rate,
  type Schedule,
  type ScheduleOptions,
  schedule,
} from './language/schedule.ts'
export { factor, simplify, substitute } from './language/simplify.ts'
export type { Scope } from './language/syntax/scope.ts'
export { namedTape, tapeOf } from './language/write-tape.ts'
export { Remembered } from './problem/loaded-at-once.ts'
export { forces, open } from './problem/typed-at-once.ts'

// The bodies of loops: a compiler turns them into code.

export { accumulationIn } from './methods/loaded-at-once.ts'
export { pairForce } from './problem/interactions/define.ts'
export { readsVectors } from './problem/interactions/vectors.ts'
export { type NumbersFold, numbersFold, type StateChange } from './problem/reductions/numbers.ts'
export { keepsNumbers, type OtherReduction, picksSource, reductions } from './problem/reductions/table.ts'
export { guardReadsVector, guardRule, needsGuard } from './problem/workloads/bodies/coincident.ts'
export {
  cellBody,
  type ElementBody,
  gridParameters,
  mapBody,
  stencilBody,
} from './problem/workloads/bodies/element-body.ts'
export type { ComponentLoop, Fold, TermLoop } from './problem/workloads/bodies/folds.ts'
export { cancelsInertia } from './problem/workloads/bodies/inertia.ts'
export { type LoadPlace, loadPlace } from './problem/workloads/bodies/load-place.ts'
export type { TableRead } from './problem/workloads/bodies/lookups.ts'
export { type PairBody, type PairBodyOptions, type PairShape, pairBody } from './problem/workloads/bodies/pair-body.ts'
export { onceObstacle } from './problem/workloads/bodies/pairs-once.ts'
export { pairNumber } from './problem/workloads/bodies/vector-term.ts'
export { compiledWorkload } from './problem/workloads/compile-workload.ts'
export { keptPower, neededOfEqual } from './problem/workloads/kept-power.ts'
export { isVectorSum } from './problem/workloads/law-facts.ts'
export { attributesRead, componentsOf, type Term, termOf } from './problem/workloads/quantity.ts'
