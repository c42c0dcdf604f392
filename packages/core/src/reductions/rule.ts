/**
 * What core, backends and tests must know about a reduction besides its fold. The reference and each backend have an
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
  readonly width: 1 | 'components' | 'k' | 'sources'
  /** Whether the order of terms may change the result by rounding. */
  readonly ordered?: true
  /** Whether it adds plain terms. Then a common factor may be taken out, and terms may have several components. */
  readonly linear?: true
  /** Whether it only asks which pairs count, and computes no term. */
  readonly termless?: true
}

/** Merges the results of disjoint source ranges, for the same targets, into those of one run over both. `k` is the workload's. */
export type Combine = (a: ArrayResults, b: ArrayResults, options: { readonly k?: number }) => ArrayResults

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
