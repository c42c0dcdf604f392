/**
 * A conformance case as plain data: a workload, its points, and the results that are known without the float64 reference. Types only;
 * `cases/` makes the cases, and `judge.ts` judges a device by them.
 *
 * @module
 */
import type { LawOptions, ParameterInput, Particles, Range, Workload } from '@manybody/core'
import type { BlockRanges } from '@manybody/core/judge'

/** The known results, by name. */
export type Expected = Readonly<Record<string, ArrayLike<number>>>

/** One run of a program. Arrays are float64. They are rounded to float32 for a device of precision `f32`. */
export interface CaseRun {
  readonly workload: Workload
  readonly particles: Particles
  /** Values that replace parameters of the law. */
  readonly parameters?: Readonly<Record<string, ParameterInput>>
  /** Tables that replace the law's tables. */
  readonly tables?: LawOptions['tables']
  /** Functions that replace the law's functions. */
  readonly functions?: LawOptions['functions']
  /** The only sources that blocks of targets meet. */
  readonly ranges?: BlockRanges
  /** Results that must match to the last bit: counts, and sums of whole numbers. */
  readonly exact?: Expected
  /** Results by a closed form, independent of the reference. They are compared within the bound. */
  readonly closedForm?: Expected
}

/** A workload with its data. `name` has the form `family: subject`, and is unique. */
export interface Case extends CaseRun {
  readonly name: string
  /** Pair loops: runs in parts. Each target range visits all source ranges in order, and each continues the results of the one before. */
  readonly parts?: RangeParts
  /** More runs of the same program, in order, with the same structure and shape but other numbers. */
  readonly again?: readonly CaseRun[]
  /** Whether all runs must agree within the bound. */
  readonly agreeing?: true
  /** Whether the results of all targets must add up to zero within the bound, like reciprocal forces. */
  readonly balanced?: true
  /**
   * Whether core converts the arrays to float32, as an engine does, while the expected results come from the float64 arrays. The arrays are
   * chosen so that the conversion loses nothing.
   */
  readonly asGiven?: true
  /** Whether the terms amplify rounding, like high powers of the distance. Float32 then gets a higher floor. */
  readonly steep?: true
}

export interface RangeParts {
  readonly targets?: readonly Range[]
  readonly sources?: readonly Range[]
}
