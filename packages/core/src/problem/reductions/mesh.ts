/**
 * Permission to sum through a mesh: all images of a periodic box, or all pairs in open space, within a tolerance.
 *
 * It is plain data. The code of meshes loads with the first workload that has it, and checks it.
 *
 * @module
 */
import { finite } from '../../ground/checks.ts'
import type { ToleranceOf } from '../../ground/report.ts'

/** A sum over all periodic images, or over all pairs in open space, may differ from the exact one by a tolerance. */
export interface Mesh {
  readonly kind: 'mesh'
  /** Between 0 and 1; at least 1e-6 in float32 and 1e-11 in float64. */
  readonly tolerance: number
  /**
   * The scale of the tolerance. For `terms`, the default, it is the sum of the sizes of a target's terms, those of the nearest images in a periodic box.
   * For `result`, the root mean square of the errors of all targets is at most `tolerance` times the root mean square of their results.
   */
  readonly of?: ToleranceOf | undefined
}

/**
 * The method of a sum over all images of a periodic box or a slab, or over all pairs in open space. Near sources act directly, and the smooth rest acts
 * through a grid. It needs no cutoff, and takes every law of the distance: `1/r`, `1/r^6`, or a formula of your own. Each run measures its
 * error and reports it.
 *
 * Other wrong options, and laws that a mesh cannot sum, are rejected when a workload is prepared or first run.
 *
 * @throws TypeError, RangeError if the tolerance is no positive number
 *
 * @example
 * const salt = forces(coulomb(), { boundary: periodic([20, 20, 20]), method: mesh({ tolerance: 1e-4 }) })
 */
export function mesh(options: Omit<Mesh, 'kind'>): Mesh {
  // Plain JavaScript may call it without options.
  finite(options?.tolerance, 'tolerance', Number.MIN_VALUE)
  return { kind: 'mesh', ...options }
}
