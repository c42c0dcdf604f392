/**
 * Whether lists of near sources may last for several rounds of a sequence.
 *
 * @module
 */
import type { PairWorkload, Shape } from '@manybody/core'

/** Those of sums within a cutoff over one set may, if threads share their memory. */
export function listsLast(
  { reduction, domain }: PairWorkload,
  { sameSet, split }: Pick<Shape, 'sameSet' | 'split'>,
  { threads, memory }: { readonly threads: number; readonly memory: { readonly shared: boolean } },
): boolean {
  return reduction === 'sum' && domain.cutoff !== undefined && sameSet && !split && (memory.shared || threads === 1)
}
