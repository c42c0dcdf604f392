/**
 * Workloads that keep the nearest points: they need no pairs beyond the farthest point kept.
 *
 * @module
 */
import { powerOf } from '../../language/canonical.ts'
import { key, symbol } from '../../language/nodes.ts'
import { termOf } from './quantity.ts'
import type { Dimension, PairWorkload, Shape } from './workload.ts'

/**
 * The power of the distance that is the term of a workload which keeps only the least terms; undefined for other workloads. Such a
 * workload needs no pairs that are farther apart than the pairs it keeps.
 */
export function keptPower(workload: PairWorkload, dimension: Dimension): 1 | 2 | undefined {
  if (!['smallest', 'min', 'argmin'].includes(workload.reduction)) return undefined
  const term = termOf(workload, dimension)
  if (term.form !== 'components' || term.components.length !== 1) return undefined
  const [only] = term.components.map(key)
  return ([2, 1] as const).find((power) => only === key(powerOf(symbol('r2'), power / 2)))
}

/**
 * How many of several points with the same coordinates a search for the nearest needs, those with the lowest indices: as many as a target
 * may keep, and itself. Undefined if it may need all. Of coordinates in two floats, both would have to be the same.
 */
export function neededOfEqual(
  workload: PairWorkload,
  { dimension, split }: Pick<Shape, 'dimension' | 'split'>,
): number | undefined {
  const { domain, k = 1 } = workload
  const { cutoff, exclusions } = domain
  if (split || exclusions.length > 0 || typeof cutoff?.distance === 'string') return undefined
  return keptPower(workload, dimension) && k + 1
}
