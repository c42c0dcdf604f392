/**
 * Which workloads can be computed by visiting pairs of blocks that are near each other.
 *
 * @module
 */
import type { PairWorkload, Shape } from '@manybody/core'
import { keptPower } from '@manybody/core/backend'

/**
 * All workloads that have a cutoff or keep the nearest sources, except a matrix, which also contains the other pairs. If the
 * caller gives ranges, these decide which pairs are visited.
 */
export function visitsBlocks(
  workload: PairWorkload,
  { dimension, ranged }: Pick<Shape, 'dimension' | 'ranged'>,
): boolean {
  const { reduction, domain } = workload
  return (
    !ranged && reduction !== 'none' && (domain.cutoff !== undefined || keptPower(workload, dimension) !== undefined)
  )
}
