/**
 * Permission to approximate a sum: far sources may be replaced by a few. Nothing is approximate without it.
 *
 * It is plain data. The code that approximates loads with the first workload that has it, and checks it.
 *
 * @module
 */
import { finite } from '../checks.ts'

/** A sum may differ from that over all pairs, by at most `tolerance` times the sum of the sizes of a target's terms. */
export interface Tree {
  readonly kind: 'tree'
  /** Between 0 and 1; at least 1e-6 in float32. */
  readonly tolerance: number
}

/**
 * The method of a sum that may be approximated. At least 99 % of targets meet the tolerance; each run measures its error and
 * reports it. A device without a tree computes all pairs.
 *
 * Other wrong options, and laws that a tree cannot approximate, are rejected when a workload is prepared or first run.
 *
 * @throws TypeError, RangeError if the tolerance is no positive number
 *
 * @example
 * const pull = accelerations(gravity(), { method: tree({ tolerance: 1e-3 }) })
 */
export function tree(options: { readonly tolerance: number }): Tree {
  // Plain JavaScript may call it without options.
  finite(options?.tolerance, 'tolerance', Number.MIN_VALUE)
  return { kind: 'tree', ...options }
}
