/**
 * Which workloads can be computed by visiting pairs of blocks that are near each other.
 *
 * @module
 */
import type { PairWorkload } from '@manybody/core'

/** All workloads with a cutoff but a matrix, which also contains the other pairs. */
export function visitsBlocks({ reduction, domain }: PairWorkload): boolean {
  return reduction !== 'none' && domain.cutoff !== undefined
}
