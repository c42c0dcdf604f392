/**
 * Pairs that do not count, from the list a user writes to the lists that loops read.
 *
 * @module
 */
import type { Exclusions } from '../backend.ts'
import type { PairWorkload, Shape } from './workload.ts'

/** The pairs left out, per target and ascending; of one set in both directions. */
export function exclusionsOf({ domain }: PairWorkload, shape: Shape): Exclusions | undefined {
  if (domain.exclusions.length === 0) return undefined
  const lists = Array.from({ length: shape.targets }, () => new Set<number>())
  for (const [n, [i, j]] of domain.exclusions.entries()) {
    if (i >= shape.targets || j >= shape.sources)
      throw new RangeError(
        `"exclusions[${n}]" expected a target below ${shape.targets} and a source below ${shape.sources}, got [${i}, ${j}]`,
      )
    lists[i]?.add(j)
    if (shape.sameSet) lists[j]?.add(i)
  }
  const offsets = new Uint32Array(shape.targets + 1)
  const sorted = lists.map((list, i) => {
    offsets[i + 1] = (offsets[i] as number) + list.size
    return [...list].sort((a, b) => a - b)
  })
  return { offsets, sources: Uint32Array.from(sorted.flat()) }
}
