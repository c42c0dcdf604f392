/**
 * How the terms of one target are folded: the numbers of its state, and the GLSL that starts, updates and returns them. One
 * slice of sources hands the state to the next, and results of earlier ranges are turned into one. `folds.ts` has the folds.
 *
 * @module
 */
import type { ArrayResults } from '@manybody/core'

/** The GLSL for the term of a pair. */
export interface TermTexts {
  /** Components of the term; a radial term is already multiplied by the distance vector. */
  readonly terms: readonly string[]
  /** The factor of a sum, if it has one. */
  readonly scale: string | undefined
}

export interface Fold {
  /** Numbers in the state of one target. */
  readonly components: number
  /** Code before the loop; `before(page)` reads the state so far, if `user_resume` is 1. */
  readonly start: string
  /** Code before and after each row of 256 sources. */
  readonly openRow: string
  readonly closeRow: string
  /** Code for each pair that counts. */
  readonly add: string
  /** One expression for each number of the state. */
  readonly state: readonly string[]
  /** Number c of the state of target t before the first source, taken from results of earlier ranges if there are any. */
  before(t: number, c: number, initial?: ArrayResults): number
  /** Results of a run; `read` returns some numbers of every target's state. */
  results(read: (offset: number, components: number) => Float32Array): ArrayResults
  /** Results that the state holds unchanged, so that a stage can leave them on the device. */
  readonly resident: Readonly<Record<string, readonly [offset: number, components: number, unbounded?: boolean]>>
}
