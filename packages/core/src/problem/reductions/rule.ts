/**
 * The facts about a reduction that core, backends and tests read before it runs. Its definition is in `folds/`.
 *
 * @module
 */
import type { FloatArray } from '../../ground/checks.ts'

/** The results of a device: arrays only, because the engine adds up totals. */
export type ArrayResults = Readonly<Record<string, FloatArray | Int32Array | Uint32Array>>

export interface ReductionRule {
  /** Its results in order, and the value of each if no term counts. A sum takes the name of its result from the quantity. */
  readonly results: Readonly<Record<string, number>>
  /** How many numbers each result has per target. */
  readonly width: 1 | 'components' | 'k' | 'sources' | 'list'
  /** Whether the order of terms may change the result by rounding. */
  readonly ordered?: true
  /** Whether it adds plain terms. Then a common factor may be taken out, and terms may have several components. */
  readonly linear?: true
  /** Whether it only asks which pairs count, and computes no term unless a limit decides. */
  readonly termless?: true
}

/**
 * A reduction with a few numbers as its state. The results of any sources determine these numbers. Backends make its fold from these
 * expressions. While a fold runs, the largest number stands for infinity. A state that equals the first one gives the values of
 * `results`.
 */
export interface NumbersRule extends ReductionRule {
  readonly width: 1
  /** The numbers of the state, and their values before the first term. */
  readonly state: Readonly<Record<string, number>>
  /** The state of a single term, in `term`. */
  readonly ofTerm: Readonly<Record<string, string>>
  /**
   * The state of two sets of sources: expressions in the numbers of one state, such as `value`, and of the other, such as `other_value`.
   */
  readonly join: Readonly<Record<string, string>>
  /** The results, in the numbers of the state. */
  readonly toResults: Readonly<Record<string, string>>
  /** A state that has these results. */
  readonly fromResults: Readonly<Record<string, string>>
}

/** A reduction that gives the least or the greatest term, and the first source that has it. */
export interface PickRule extends ReductionRule {
  readonly results: { readonly index: -1; readonly value: number }
  readonly width: 1
  readonly picks: 'least' | 'greatest'
}
