/**
 * What a conformance case is: plain data that says which workload runs over which points, and what is known about the
 * results besides the float64 reference. Types only; `cases/` makes them, `judge.ts` judges a device by them.
 *
 * @module
 */
import type { Particles, Range, Workload } from '@manybody/core'

/** Results by name, as far as they are known. */
export type Expected = Readonly<Record<string, ArrayLike<number>>>

/** One run of a program. Arrays are float64; for a device of precision `f32` they are rounded to float32 first. */
export interface CaseRun {
  readonly workload: Workload
  readonly particles: Particles
  /** Values for parameters of the law, in place of those in the workload. */
  readonly parameters?: Readonly<Record<string, number>>
  /** What the results are to the last bit: counts, and sums of whole numbers. */
  readonly exact?: Expected
  /** What the results are by a closed form that owes nothing to the reference; compared within the bound. */
  readonly closedForm?: Expected
}

/** A workload with its data; `name` is `family: what`, and unique. */
export interface Case extends CaseRun {
  readonly name: string
  /** Pair loops: run in parts, each target range over all source ranges in turn, each going on from the one before. */
  readonly parts?: Parts
  /** Further runs of the same program, in order: same structure and shape, other numbers. */
  readonly again?: readonly CaseRun[]
  /** Whether all runs must agree within the bound. */
  readonly agreeing?: true
  /** Whether the results of all targets must add up to zero within the bound, as reciprocal forces do. */
  readonly balanced?: true
  /**
   * Whether core itself makes float32 numbers of the arrays, as it does in a run of an engine, and the truth is about the
   * arrays as they are. They are chosen so that core's numbers lose nothing.
   */
  readonly asGiven?: true
  /** Whether the terms amplify rounding, as high powers of the distance do, so that float32 is given a higher floor. */
  readonly steep?: true
}

export interface Parts {
  readonly targets?: readonly Range[]
  readonly sources?: readonly Range[]
}
