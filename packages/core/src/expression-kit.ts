/**
 * The expression language of the laws: trees, their builders, and every visitor. This is the entry
 * `@manybody/core/expression`.
 *
 * @module
 */

export {
  type LibraryFunction,
  type LibraryName,
  library,
  preludeOf,
  shaderSpellings,
} from './expression/dialects/library.ts'
export { type ShadingDialect, shaderLiteral, shadingLanguage } from './expression/dialects/shading-language.ts'
export { differentiate } from './expression/differentiate.ts'
export { type Evaluator, evaluate, evaluator } from './expression/evaluate.ts'
export { expandPowers, type RootStyle } from './expression/expand-powers.ts'
export { accuracyOn, functionAccuracy, largestError, type OperationName } from './expression/function-accuracy.ts'
export type { ChoiceFunction, NumericFunction, Signature, ValueType } from './expression/functions/definition.ts'
export type { Accuracy, AccuracyRange } from './expression/functions/errors.ts'
export {
  type ChoiceName,
  type FunctionName,
  functionNames,
  functions,
  type NumericName,
  numericNames,
} from './expression/functions/table.ts'
export {
  type Infix,
  type InfixDialect,
  infixLanguage,
  type Spellings,
  toText,
  usualSpellings,
} from './expression/infix.ts'
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
export { type Rules, rebuildWith } from './expression/rebuild.ts'
export { type Language, render } from './expression/render.ts'
export {
  type Binding,
  type Given,
  type Rate,
  type Schedule,
  type ScheduleOptions,
  schedule,
} from './expression/schedule.ts'
export { factor, simplify, substitute } from './expression/simplify.ts'

// The bodies of loops: what a compiler makes code of.

export { accumulationIn } from './fill-report.ts'
export { pairForce } from './interactions/define.ts'
export { type NumbersFold, numbersFold, type StateChange } from './reductions/numbers.ts'
export { keepsNumbers, type OtherReduction, picksSource, reductions } from './reductions/table.ts'
export { sourceWeights } from './tolerance/source-weights.ts'
export { weightedWorkload } from './tolerance/weighted.ts'
export { guardRule, needsGuard } from './workloads/bodies/coincident.ts'
export {
  cellBody,
  type ElementBody,
  gridParameters,
  mapBody,
  stencilBody,
} from './workloads/bodies/element-body.ts'
export { cancelsInertia } from './workloads/bodies/inertia.ts'
export { type LoadPlace, loadPlace } from './workloads/bodies/load-place.ts'
export { type PairBody, type PairBodyOptions, type PairShape, pairBody } from './workloads/bodies/pair-body.ts'
export { onceObstacle } from './workloads/bodies/pairs-once.ts'
export { compiledWorkload } from './workloads/compile-workload.ts'
export { open } from './workloads/domain.ts'
export { keptPower } from './workloads/kept-power.ts'
export { forces } from './workloads/pair.ts'
export { attributesRead, componentsOf, type Term, termOf } from './workloads/quantity.ts'
