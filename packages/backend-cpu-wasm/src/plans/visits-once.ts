/**
 * Which workloads can be computed by visiting each pair once.
 *
 * @module
 */
import type { PairWorkload, Shape } from '@manybody/core'

/** Symmetric sums over all of one set, without exclusions. */
export function visitsOnce({ reduction, law, domain }: PairWorkload, { sameSet }: Shape): boolean {
  return reduction === 'sum' && sameSet && law.symmetric && domain.exclusions.length === 0
}
