/**
 * What core, backends and tests must know of a reduction besides its fold. Not how a fold is computed: each backend and the
 * reference have an exhaustive record of folds.
 *
 * @module
 */
import type { FloatArray } from '../checks.ts'

/** How the terms of one target are folded over its sources. `smallest` keeps the k least, with their sources. */
export type Reduction = 'sum' | 'min' | 'max' | 'argmin' | 'argmax' | 'logsumexp' | 'count' | 'smallest' | 'none'

/** What a device gives: arrays only, as totals are added up by the engine. */
export type ArrayResults = Readonly<Record<string, FloatArray | Int32Array | Uint32Array>>

/** What of a workload over pairs says how it is reduced. */
export interface Reduced {
  readonly results: readonly string[]
  readonly reduction: Reduction
  /** How many are kept by `smallest`. */
  readonly k?: number
}

export interface ReductionRule {
  /** Its results in order, and what each holds where no term counts. The result of a sum is named for what is added. */
  readonly results: Readonly<Record<string, number>>
  /** Numbers of each result per target. */
  readonly width: 1 | 'components' | 'k' | 'sources'
  /** Whether the order of terms may change the result, by rounding. */
  readonly ordered?: true
  /** Whether it adds plain terms: a factor common to all may be taken out, and terms may have several components. */
  readonly linear?: true
  /** Whether it only asks which pairs count, and computes no term. */
  readonly termless?: true
}

/** Merges the results of disjoint source ranges, for the same targets, into those of one run over both. */
export type Combine = (a: ArrayResults, b: ArrayResults, workload: Reduced) => ArrayResults

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
