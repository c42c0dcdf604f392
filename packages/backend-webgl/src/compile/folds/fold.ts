/**
 * A fold of the terms of one target: the GLSL that starts, updates and returns the numbers of its state, and the meaning of
 * these numbers. One slice of sources hands the state to the next. `folds.ts` has the folds.
 *
 * @module
 */
import type { ResultPlace } from '../../design/design.ts'
import type { FoldState } from '../../design/fold-state.ts'

/** The GLSL for the term of a pair. */
export interface TermTexts {
  /** Components of the term; a radial term is already multiplied by the distance vector. */
  readonly terms: readonly string[]
  /** The factor of a sum, if it has one. */
  readonly scale: string | undefined
}

export interface Fold {
  /** The meaning of the numbers in the state of one target. */
  readonly state: FoldState
  /** Code before the loop; `before(page)` reads the state so far, if `user_resume` is 1. */
  readonly start: string
  /** Code before and after each row of 256 sources. */
  readonly openRow: string
  readonly closeRow: string
  /** Code for each pair that counts. */
  readonly add: string
  /** One expression for each number of the state. */
  readonly numbers: readonly string[]
  /** Results that the state holds unchanged, so that a stage can leave them on the device. */
  readonly resident: Readonly<Record<string, ResultPlace>>
}
