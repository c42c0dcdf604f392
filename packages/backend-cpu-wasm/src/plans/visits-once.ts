/**
 * Which workloads can be computed by visiting each pair once.
 *
 * @module
 */
import type { PairWorkload, Shape } from '@manybody/core'

/** Symmetric sums over all of one set, without exclusions or ranges. */
export function visitsOnce({ reduction, law, domain }: PairWorkload, { sameSet, ranged }: Shape): boolean {
  return reduction === 'sum' && sameSet && !ranged && law.symmetric && domain.exclusions.length === 0
}
