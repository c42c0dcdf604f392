/**
 * Which workloads may meet each pair once, so that both of its points receive the term (`reaction` in `pair-body.ts`).
 *
 * @module
 */
import { sharesCutoff } from '../cutoff.ts'
import type { PairWorkload, Shape } from '../workload.ts'

/** Why a workload cannot meet each pair once; undefined if it can. A backend may have further conditions. */
export function onceObstacle(workload: PairWorkload, shape: Shape): string | undefined {
  const { law, reduction, domain } = workload
  if (shape.lengths) return 'vectors of one side stay in registers'
  if (!shape.sameSet) return 'targets and sources are two sets'
  if (reduction !== 'sum' || !law.symmetric) return `${law.name} is not a sum of symmetric terms`
  if (!sharesCutoff(workload)) return 'the two points of a pair have different cutoffs'
  if (domain.exclusions.length > 0) return 'exclusions are kept per target'
  return shape.ranged ? 'blocks of targets have ranges of sources' : undefined
}
