/**
 * The definition of a reduction: its fold in the reference, which is the specification, how the results of two ranges of sources
 * combine, and how far rounding may move them. Each reduction has its own file, and these files load on demand. A page that has not yet
 * run one reads only `reductions/table.ts`.
 *
 * @module
 */
import type { Report } from '../../contract/backend.ts'
import type { ArrayResults } from '../../problem/reductions/rule.ts'
import type { Arithmetic } from '../error-analysis/arithmetic.ts'
import type { Judged, TargetNumbers } from '../error-analysis/judging.ts'
import type { Terms } from '../error-analysis/terms.ts'

/** Numbers of all targets, one after the other. */
export type Column = ArrayResults[string]

/** Adds terms into arrays that hold earlier results. */
export interface Folding {
  /** Adds the term of source `j` to the target in `row`. */
  readonly add: (row: number, j: number, term: Float64Array) => void
  /** Turns the state into results, if they differ. */
  readonly finish?: () => void
  /** The results, if their lengths depend on the terms. */
  readonly results?: () => ArrayResults
}

interface FoldContext {
  readonly arithmetic: Arithmetic
  readonly report: Pick<Report, 'accumulation' | 'chains'>
}

export interface ReductionDefinition {
  /** Gets the result arrays in order, and how many numbers the first holds per target. Terms come in the order of sources. */
  readonly fold: (width: number, first: Column, second: Column) => Folding
  /** Merges the results of disjoint source ranges, for the same targets, into the results of one run over both. `k` is the workload's. */
  readonly combine: (a: ArrayResults, b: ArrayResults, options: { readonly k?: number }) => ArrayResults
  /** How far the results of one target are from the reference, and how far they may be. */
  readonly judge: (
    terms: Terms,
    out: TargetNumbers,
    truth: TargetNumbers,
    context: FoldContext,
  ) => Readonly<Record<string, Judged>>
}

/** Combines number by number; in float32 arrays the outcome is rounded. */
export function combineEach(a: ArrayResults, b: ArrayResults, join: (x: number, y: number) => number): ArrayResults {
  return Object.fromEntries(
    Object.entries(a).map(([name, numbers]) => {
      const combined = numbers.slice()
      for (const [n, number] of numbers.entries()) combined[n] = join(number, b[name]?.[n] as number)
      return [name, combined]
    }),
  )
}

export function raise(numbers: Column, at: number, by: number): void {
  numbers[at] = (numbers[at] as number) + by
}
