/**
 * How long a pair takes, for the first estimate of a device's speed.
 *
 * @module
 */
import type { Shape } from './workload.ts'

/** The work of a pair in that of a short law: each component of the law's vectors takes as long. */
export const workPerPair = (lengths: Shape['lengths'] = {}): number =>
  Object.values(lengths).reduce((total, length) => total + length, 1)
