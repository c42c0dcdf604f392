/**
 * The fold of each reduction. All reductions that keep a few numbers share one fold; all that pick a source share another.
 *
 * @module
 */
import type { PairWorkload, Reduction } from '@manybody/core'
import { keepsNumbers, numbersFold, type OtherReduction, picksSource, reductions } from '@manybody/core/expression'
import { count } from './count.ts'
import type { FoldOf, SourceOrder } from './fold.ts'
import { leastInRows, mostInRows } from './least-rows.ts'
import { list } from './list.ts'
import { logsumexp } from './logsumexp.ts'
import { numbersFoldOf } from './numbers-fold.ts'
import { pick } from './pick.ts'
import { smallest } from './smallest.ts'
import { sumOf } from './sum.ts'

const others: {
  readonly [R in Exclude<OtherReduction, 'none'>]: (workload: PairWorkload, order: SourceOrder) => FoldOf
} = {
  sum: sumOf,
  count: () => count,
  list: () => list,
  least: ({ k = 1 }, order) => smallest(k, order, 'value'),
  smallest: ({ k = 1 }, order) =>
    order === 'any' && k <= mostInRows ? leastInRows(k) : smallest(k, order, 'distance'),
}

/** Folds by hand that are faster than the fold made from the rule: 1.6 times for `logsumexp`. */
const faster: Partial<Readonly<Record<Reduction, FoldOf>>> = { logsumexp }

/** The fold of a workload; undefined for a matrix, which keeps all terms. */
export function foldOf(workload: PairWorkload, order: SourceOrder): FoldOf | undefined {
  const { reduction } = workload
  if (reduction === 'none') return undefined
  if (keepsNumbers(reduction)) return faster[reduction] ?? numbersFoldOf(numbersFold(reductions[reduction]))
  return picksSource(reduction) ? pick(reductions[reduction].picks, order) : others[reduction](workload, order)
}
