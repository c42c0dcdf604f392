/**
 * When the loop over a whole vector is slower than sums of a few components at a time.
 *
 * @module
 */
import type { DeviceKind, PairWorkload, Shape } from '@manybody/core'
import { lawFact } from '@manybody/core/backend'
import { pairBody } from '@manybody/core/expression'

/**
 * Vectors up to this length are summed as so many numbers. On cards, pairs then meet component by component; on software GPUs,
 * such loops compile sooner.
 */
const mostInBlocks: Readonly<Record<DeviceKind, number>> = { hardware: 4, software: 16, cpu: 16 }

/** On cards, loops over a few components skip blocks of far points, unless the rest of the term has functions of vectors. */
export function prefersBlocks(workload: PairWorkload, shape: Shape, kind: DeviceKind): boolean {
  const { term = '' } = lawFact('vectors', workload, shape) ?? {}
  const length = shape.lengths?.[term] ?? 0
  if (length <= mostInBlocks[kind]) return true
  const skips = kind === 'hardware' && workload.domain.cutoff !== undefined
  return skips && pairBody(workload, shape, { guard: false, vectors: true }).folds.length === 0
}
