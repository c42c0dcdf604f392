/**
 * What a definition of a function says, for everything that computes, differentiates, prints or plans. Every field is
 * required, so that a function cannot be half defined. What loads later has tables by name: `errors.ts`, `library.ts`.
 *
 * @module
 */

/** A condition is the result of a comparison; only `select`, `and`, `or` and `not` accept one. */
export type ValueType = 'number' | 'condition'

export interface Signature {
  readonly parameters: readonly ValueType[]
  readonly result: ValueType
}

interface Planned extends Signature {
  /** Operations that it takes, an addition counted as one, for planners of loops. */
  readonly cost: number
}

/** A function of numbers. */
export interface NumericFunction extends Planned {
  /** In float64. */
  readonly value: (...operands: number[]) => number
  /** What the operands are called in `derivative`. */
  readonly operands: readonly string[]
  /** An expression in the operands and their derivatives: that of `x` is `dx`. */
  readonly derivative: string
  /** Operands for which the value is finite, as far as a proof goes: all, a first one above 0, or only some. */
  readonly domain: 'all' | 'positive' | 'some'
  /** What the value can be, on every device. */
  readonly range: 'all' | 'nonnegative' | 'positive'
}

/** A function that takes or gives a condition. These are the grammar of choices: what each does, its readers know. */
export interface ChoiceFunction extends Planned {
  /** The operator that it is written with, if it is one. */
  readonly operator?: string
}

export const numeric = (definition: Omit<NumericFunction, keyof Signature>): NumericFunction => ({
  parameters: definition.operands.map(() => 'number'),
  result: 'number',
  ...definition,
})
