/**
 * Decides whether a sequence may reuse neighbour lists for several rounds.
 *
 * @module
 */
import type { PairWorkload, Shape } from '@manybody/core'

/** True for sums within a cutoff over one set, if threads share their memory. */
export function listsLast(
  { reduction, domain }: PairWorkload,
  { sameSet, split }: Pick<Shape, 'sameSet' | 'split'>,
  { threads, memory }: { readonly threads: number; readonly memory: { readonly shared: boolean } },
): boolean {
  return reduction === 'sum' && domain.cutoff !== undefined && sameSet && !split && (memory.shared || threads === 1)
}
