/**
 * What core, backends and tests must know about a reduction before it runs. Its definition is in `folds/`; each backend has an
 * exhaustive record of folds.
 *
 * @module
 */
import type { FloatArray } from '../checks.ts'

/** The results of a device: arrays only, because the engine adds up totals. */
export type ArrayResults = Readonly<Record<string, FloatArray | Int32Array | Uint32Array>>

export interface ReductionRule {
  /** Its results in order, and the value of each if no term counts. The result of a sum is named after what is added. */
  readonly results: Readonly<Record<string, number>>
  /** How many numbers each result has per target. */
  readonly width: 1 | 'components' | 'k' | 'sources' | 'list'
  /** Whether the order of terms may change the result by rounding. */
  readonly ordered?: true
  /** Whether it adds plain terms. Then a common factor may be taken out, and terms may have several components. */
  readonly linear?: true
  /** Whether it only asks which pairs count, and computes no term. */
  readonly termless?: true
}

/** A reduction that keeps nothing but its value. */
export interface JoinedRule extends ReductionRule {
  readonly results: { readonly value: number }
  /** The value after a term: an expression in `value` and `term`. */
  readonly join: string
}
