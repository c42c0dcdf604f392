/**
 * Excluded pairs: turns the list that a user writes into the lists that loops read.
 *
 * @module
 */
import type { Exclusions } from '../../ground/arrays/bindings.ts'
import { Remembered } from '../../ground/remember.ts'
import type { Domain } from './domain.ts'
import type { PairWorkload, Shape } from './workload.ts'

/** Remembers sorted lists. A list is part of a frozen domain, and sorting it for each run would cost more than many runs. */
const known = new Remembered<Domain, Exclusions>()

/** The excluded sources of each target, ascending; in both directions within one set. */
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
