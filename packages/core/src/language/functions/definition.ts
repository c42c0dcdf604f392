/**
 * The definition of a function, for all code that computes, differentiates, prints or plans. Every field is required, so
 * that a function cannot be half defined. Code that loads later has tables by name: `errors.ts`, `library.ts`.
 *
 * @module
 */

/** A condition is the result of a comparison; only `select`, `and`, `or` and `not` accept one. */
export type ValueType = 'number' | 'condition'

export interface Signature {
  readonly parameters: readonly ValueType[]
  readonly result: ValueType
}

/** A function of numbers. */
export interface NumericFunction extends Signature {
  /** Its value in float64. */
  readonly value: (...operands: number[]) => number
  /** The names of the operands in `derivative`. */
  readonly operands: readonly string[]
  /** An expression in the operands and their derivatives: the derivative of `x` is `dx`. */
  readonly derivative: string
  /** Operands that surely give a finite value: all, a first operand above 0, or only some. */
  readonly domain: 'all' | 'positive' | 'some'
  /** The possible values, on every device. */
  readonly range: 'all' | 'nonnegative' | 'positive'
}

/** A function that takes or returns a condition. Each visitor implements these functions itself. */
export interface ChoiceFunction extends Signature {
  /** Its operator, if it is written as one. */
  readonly operator?: string
}

export const numeric = (definition: Omit<NumericFunction, keyof Signature>): NumericFunction => ({
  parameters: definition.operands.map(() => 'number'),
  result: 'number',
  ...definition,
})
