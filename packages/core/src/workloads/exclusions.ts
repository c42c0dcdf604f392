/**
 * Pairs that do not count, from the list a user writes to the lists that loops read.
 *
 * @module
 */
import type { Exclusions } from '../backend.ts'
import { Remembered } from '../remember.ts'
import type { Domain } from './domain.ts'
import type { PairWorkload, Shape } from './workload.ts'

/** A list is a part of the domain and frozen with it; sorting it anew would cost more than many a run. */
const known = new Remembered<Domain, Exclusions>()

/** The pairs left out, per target and ascending; of one set in both directions. */
export function exclusionsOf({ domain }: PairWorkload, shape: Shape): Exclusions | undefined {
  return domain.exclusions.length === 0
    ? undefined
    : known.of(domain, () => listsOf(domain, shape), JSON.stringify(shape))
}

function listsOf({ exclusions }: Domain, shape: Shape): Exclusions {
  const lists = Array.from({ length: shape.targets }, () => new Set<number>())
  for (const [n, [i, j]] of exclusions.entries()) {
    if (i >= shape.targets || j >= shape.sources)
      throw new RangeError(
        `"exclusions[${n}]" expected a target below ${shape.targets} and a source below ${shape.sources}, got [${i}, ${j}]`,
      )
    lists[i]?.add(j)
    if (shape.sameSet) lists[j]?.add(i)
  }
  const sorted = lists.map((list) => [...list].sort((a, b) => a - b))
  let end = 0
  const offsets = Uint32Array.from([0, ...lists.map((list) => (end += list.size))])
  return { offsets, sources: Uint32Array.from(sorted.flat()) }
}
