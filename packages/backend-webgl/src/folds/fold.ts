/**
 * How the terms of one target are folded: the numbers of a state and the GLSL that starts, feeds and gives them. A state
 * is also what one slice of sources hands to the next, and what earlier results become. The folds are in `folds.ts`.
 *
 * @module
 */
import type { ArrayResults } from '@manybody/core'

/** The term of a pair that counts, as GLSL. */
export interface TermTexts {
  /** Components of the term, radial ones included. */
  readonly terms: readonly string[]
  /** What a sum is multiplied by. */
  readonly scale: string | undefined
}

export interface Fold {
  /** Numbers per target. */
  readonly components: number
  /** Before the loop; `before(page)` is the state so far, if `user_resume` is 1. */
  readonly start: string
  /** Before and after each row of 256 sources. */
  readonly openRow: string
  readonly closeRow: string
  /** For a pair that counts. */
  readonly add: string
  /** The state, number by number. */
  readonly state: readonly string[]
  /** Number c of target t before the first source, from the results of earlier ranges if there are any. */
  before(t: number, c: number, initial?: ArrayResults): number
  /** Results of a run; `read` gives some numbers of every target's state. */
  results(read: (offset: number, components: number) => Float32Array): ArrayResults
  /** Results that are numbers of the state as they are, for stages that stay on the device. */
  readonly resident: Readonly<Record<string, readonly [offset: number, components: number]>>
}
