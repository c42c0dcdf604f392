/**
 * The designs of sums over all pairs. Most pages need no others, and load this file in place of `designs.ts`.
 *
 * @module
 */
import type { PairWorkload, Shape } from '@manybody/core'
import type { LoopDesigns, Planning } from '../../design/designs.ts'
import type { LoopHost } from '../../design/facts.ts'
import { foldDesigns } from '../../designs/loaded-at-once.ts'
import { writtenLoops } from './pair-loops.ts'
import { sumParts, type WriteOnce } from './pair-parts.ts'

/** @param once writes the loops that meet each pair once; undefined if none of them will run */
export function sumDesigns(
  workload: PairWorkload,
  shape: Shape,
  host: LoopHost,
  planning: Planning | undefined,
  once: WriteOnce | undefined,
): LoopDesigns {
  const parts = { ...sumParts, ...(once && { once }) }
  return foldDesigns(writtenLoops(workload, shape, parts), workload, shape, host, planning)
}
