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

/**
 * Whether lists of what is near may last for several rounds of a sequence: those of sums within a cutoff over one set, whose
 * threads share their memory.
 */
export function listsLast(
  { reduction, domain }: PairWorkload,
  { sameSet, split }: Pick<Shape, 'sameSet' | 'split'>,
  { threads, memory }: { readonly threads: number; readonly memory: { readonly shared: boolean } },
): boolean {
  return reduction === 'sum' && domain.cutoff !== undefined && sameSet && !split && (memory.shared || threads === 1)
}
