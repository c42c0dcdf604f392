/**
 * The closed list of functions that an expression may call, with the types of their operands.
 *
 * Square roots and constant powers are not here: they are `power` nodes. What each function computes in float64 is in
 * `evaluate.ts`, its derivative in `differentiate.ts`, and its spelling in each backend's operator table; a name added
 * here does not compile until all of them handle it.
 *
 * @module
 */

/** A condition is the result of a comparison; only `select`, `and`, `or` and `not` accept one. */
export type ValueType = 'number' | 'condition'

export interface Signature {
  readonly parameters: readonly ValueType[]
  readonly result: ValueType
}

const numeric = (arity: number): Signature => ({ parameters: Array(arity).fill('number'), result: 'number' })
const comparison: Signature = { parameters: ['number', 'number'], result: 'condition' }
const logic = (arity: number): Signature => ({ parameters: Array(arity).fill('condition'), result: 'condition' })

export type FunctionName =
  | ('exp' | 'log' | 'sin' | 'cos' | 'tan' | 'tanh' | 'erf' | 'erfc')
  | ('abs' | 'sign' | 'floor' | 'ceil' | 'round' | 'step')
  | ('atan2' | 'min' | 'max' | 'pow' | 'select')
  | ('less' | 'lessEqual' | 'equal' | 'and' | 'or' | 'not')

/**
 * - `round` rounds halves to even, as GPUs and WebAssembly do; `sign(0)` is 0;
 * - `step(x)` is 1 for `x >= 0`, else 0;
 * - `select(condition, a, b)` is `a` where the condition holds, else `b`;
 * - `less`, `lessEqual`, `equal` are written `<`, `<=`, `==` (and `>`, `>=`, `!=` in terms of them).
 */
export const functions: Readonly<Record<FunctionName, Signature>> = {
  exp: numeric(1),
  log: numeric(1),
  sin: numeric(1),
  cos: numeric(1),
  tan: numeric(1),
  tanh: numeric(1),
  erf: numeric(1),
  erfc: numeric(1),
  abs: numeric(1),
  sign: numeric(1),
  floor: numeric(1),
  ceil: numeric(1),
  round: numeric(1),
  step: numeric(1),
  atan2: numeric(2),
  min: numeric(2),
  max: numeric(2),
  pow: numeric(2),
  select: { parameters: ['condition', 'number', 'number'], result: 'number' },
  less: comparison,
  lessEqual: comparison,
  equal: comparison,
  and: logic(2),
  or: logic(2),
  not: logic(1),
}
