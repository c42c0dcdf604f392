/**
 * When the loop over a whole vector is slower than sums of a few components at a time.
 *
 * @module
 */
import type { DeviceKind, PairWorkload, Shape } from '@manybody/core'
import { lawFact } from '@manybody/core/backend'

/**
 * Vectors up to this length are summed as so many numbers. On cards, pairs then meet component by component; on software GPUs,
 * such loops compile sooner.
 */
const mostInBlocks: Readonly<Record<DeviceKind, number>> = { hardware: 4, software: 16, cpu: 16 }

/** On cards, loops over a few components skip blocks of far points. */
export function prefersBlocks(workload: PairWorkload, shape: Shape, kind: DeviceKind): boolean {
  const { term = '' } = lawFact('vectors', workload, shape) ?? {}
  const length = shape.lengths?.[term] ?? 0
  return length <= mostInBlocks[kind] || (kind === 'hardware' && workload.domain.cutoff !== undefined)
}
