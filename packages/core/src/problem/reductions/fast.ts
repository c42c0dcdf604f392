/**
 * Permission to approximate a sum by the fastest method that meets a tolerance.
 *
 * It is plain data. The code that chooses loads with the first workload that has it, and checks it.
 *
 * @module
 */
import { finite } from '../../ground/checks.ts'
import type { ToleranceOf } from '../../ground/report.ts'

/** A sum may differ from the exact one by a tolerance, by any method. */
export interface Fast {
  readonly kind: 'fast'
  /** Between 0 and 1; at least 1e-6 in float32. */
  readonly tolerance: number
  /** The scale of the tolerance, as for a tree and a mesh. */
  readonly of?: ToleranceOf | undefined
}

/**
 * The method of a sum within a tolerance, whatever is fastest: all pairs, a tree or a mesh in open space, and a mesh over all images in a
 * periodic box or in the plane of a slab. Several calls try a tree and a mesh, and the faster one stays. A simulation chooses once, by an
 * estimate for its first points.
 *
 * Laws that no method suits run over all pairs in open space, and the report says why. In a periodic box or a slab they are rejected.
 *
 * @throws TypeError, RangeError if the tolerance is no positive number
 *
 * @example
 * const pull = accelerations(gravity(), { method: fast({ tolerance: 1e-4 }) })
 */
export function fast(options: Omit<Fast, 'kind'>): Fast {
  // Plain JavaScript may call it without options.
  finite(options?.tolerance, 'tolerance', Number.MIN_VALUE)
  return { kind: 'fast', ...options }
}
