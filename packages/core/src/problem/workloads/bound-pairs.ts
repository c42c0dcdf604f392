/**
 * Binds points that are checked already, as the forces of a simulation need it.
 *
 * @module
 */
import { type Bound, pairPoints } from './bind.ts'
import { bindingParts } from './bind-parts.ts'
import { lawFact } from './law-facts.ts'
import type { CheckedSet } from './particles.ts'
import { vectorSets } from './vector-sets.ts'
import type { PairWorkload } from './workload.ts'

/** A workload with checked points of one set. It takes their arrays as they are. @throws as {@link pairPoints} and its binder */
export function boundPairs(workload: PairWorkload, points: CheckedSet): Bound {
  const space = { dimension: points.dimension, vectors: [] }
  const vectors = lawFact('vectors', workload, space)
  if (!vectors) return pairPoints(workload, bindingParts, points)()
  const { arrays, count, dimension, prefix } = points
  const { targets, sources } = lawFact('reads', workload, space)
  // A force may read fewer than its energy.
  const own = vectors.groups.flat().filter((name) => arrays[name])
  const reads = [...new Set([...targets, ...sources, ...own])]
  const given = { ...Object.fromEntries(['position', ...reads].map((name) => [name, arrays[name]])), dimension, count }
  const { sets, lengths } = vectorSets(
    [{ given, prefix, reads }],
    vectors,
    workload.law.name,
    workload.law.vectors ?? {},
  )
  return pairPoints(workload, bindingParts, sets[0] as CheckedSet, undefined, undefined, { lengths, parameters: {} })()
}
