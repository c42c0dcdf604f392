/**
 * Which workloads can be computed by visiting pairs of blocks that are near each other.
 *
 * @module
 */
import type { Dimension, PairWorkload } from '@manybody/core'
import { keptPower } from '@manybody/core/backend'

/** All workloads with a cutoff, or that keep the nearest sources, but a matrix, which also contains the other pairs. */
export function visitsBlocks(workload: PairWorkload, dimension: Dimension): boolean {
  const { reduction, domain } = workload
  return reduction !== 'none' && (domain.cutoff !== undefined || keptPower(workload, dimension) !== undefined)
}
