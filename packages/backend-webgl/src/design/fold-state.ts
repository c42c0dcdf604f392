/**
 * The state that a fold keeps for each target, as data. The host reads results from it, and makes a state from results of
 * earlier ranges (`run/folds/states.ts`). Infinite numbers are as in shaders: `infinity.ts` has the numbers that stand for
 * them.
 *
 * @module
 */
import type { FormulaTape } from '@manybody/core/backend'

interface StateOf<Kind extends string> {
  readonly kind: Kind
  /** Numbers in the state of one target. */
  readonly components: number
}

/** The sums of a term's components. */
export interface SumState extends StateOf<'sum'> {
  readonly name: string
}

type CountState = StateOf<'count'>

/** The least or greatest term, and the first source that has it: -1 before the first term. */
export interface PickState extends StateOf<'pick'> {
  /** The number in place of a term, before the first term. */
  readonly empty: number
}

/** The k least terms, ascending, then their sources. Terms are squares of distances if the result is `distance`. */
export interface SmallestState extends StateOf<'smallest'> {
  readonly k: number
  readonly result: 'distance' | 'value'
}

/** A few numbers. Formulas of them give the results. */
export interface NumbersState extends StateOf<'numbers'> {
  /** The names of the numbers in the formulas, and their values before the first term. */
  readonly names: readonly string[]
  readonly first: readonly number[]
  /** `empty` is the result if no term counted. */
  readonly results: readonly { readonly name: string; readonly empty: number }[]
  /** The values of these results. */
  readonly values: FormulaTape
  /** The numbers of a state that has given results, in their names. */
  readonly fromResults: FormulaTape
}

export type FoldState = SumState | CountState | PickState | SmallestState | NumbersState
