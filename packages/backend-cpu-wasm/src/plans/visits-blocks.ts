/**
 * Which workloads can be computed by visiting pairs of blocks that are near each other.
 *
 * @module
 */
import type { PairWorkload } from '@manybody/core'

/** Whatever counts pairs within a cutoff; a matrix holds the others, too. */
export function visitsBlocks({ reduction, domain }: PairWorkload): boolean {
  return reduction !== 'none' && domain.cutoff !== undefined
}
