/**
 * When the loop over a whole vector is slower than sums of a few components at a time.
 *
 * @module
 */
import type { DeviceKind, PairWorkload, Shape } from '@manybody/core'
import { lawFact } from '@manybody/core/backend'

/** Loops over a few components compile sooner, and are as fast for vectors that are as short. */
const mostInBlocks = 16

/** On cards, loops over a few components skip blocks of far points. */
export function prefersBlocks(workload: PairWorkload, shape: Shape, kind: DeviceKind): boolean {
  const { term = '' } = lawFact('vectors', workload, shape) ?? {}
  return (shape.lengths?.[term] ?? 0) <= mostInBlocks || (kind === 'hardware' && workload.domain.cutoff !== undefined)
}
