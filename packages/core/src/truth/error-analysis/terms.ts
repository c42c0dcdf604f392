/**
 * The terms of one target with their errors, as arrays.
 *
 * @module
 */

/** Whether a pair counts: everywhere; in the reference, but not on every device; or not in the reference, but on some devices. */
export const counts = { surely: 0, unless: 1, perhaps: 2 } as const

/** Terms of one target; the next target overwrites them. Pairs that cannot count are left out. */
export interface Terms {
  /** The number of terms. */
  length: number
  readonly sources: Int32Array
  readonly certainty: Uint8Array
  /** One array for each component. */
  readonly values: readonly Float64Array[]
  readonly errors: readonly Float64Array[]
  /** The parts of errors, as in `parts.ts`. */
  readonly systematic: readonly Float64Array[]
  readonly random: readonly Float64Array[]
  /** The losses of float64 in the values, as in `losses.ts`. */
  readonly lost: readonly Float64Array[]
  /** How many terms share their random roundings, on average. */
  alike: number
  /**
   * The sizes of factors that a device may take out of the sum of this target: it adds up the terms divided by one of them. One is 1,
   * for terms as they are.
   */
  factors: readonly number[]
}
