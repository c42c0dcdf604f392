/**
 * Permission to approximate a sum: far sources may be replaced by a few. Nothing is approximate without it.
 *
 * It is plain data. The code that approximates loads with the first workload that has it, and checks it.
 *
 * @module
 */
import { finite } from '../../ground/checks.ts'
import type { ToleranceOf } from '../../ground/report.ts'

/** A sum may differ from the sum over all pairs by a tolerance. */
export interface Tree {
  readonly kind: 'tree'
  /** Between 0 and 1; at least 1e-6 in float32. */
  readonly tolerance: number
  /**
   * The scale of the tolerance. For `terms`, the default, it is the sum of the sizes of a target's terms. Where terms cancel, the
   * result is much smaller than that. For `result`, the root mean square of the errors of all targets is at most `tolerance` times
   * the root mean square of their results.
   */
  readonly of?: ToleranceOf | undefined
}

/**
 * The method of a sum that may be approximated. At least 99 % of targets meet a tolerance of terms; all targets together meet one of
 * the result. Each run measures its error and reports it. A device without a tree computes all pairs.
 *
 * Other wrong options, and laws that a tree cannot approximate, are rejected when a workload is prepared or first run.
 *
 * @throws TypeError, RangeError if the tolerance is no positive number
 *
 * @example
 * const pull = accelerations(gravity(), { method: tree({ tolerance: 1e-3 }) })
 * const nearlyNeutral = potentials(coulomb(), { method: tree({ tolerance: 1e-2, of: 'result' }) })
 */
export function tree(options: Omit<Tree, 'kind'>): Tree {
  // Plain JavaScript may call it without options.
  finite(options?.tolerance, 'tolerance', Number.MIN_VALUE)
  return { kind: 'tree', ...options }
}
