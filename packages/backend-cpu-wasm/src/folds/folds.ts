/**
 * The fold of each reduction.
 *
 * @module
 */
import type { PairWorkload, Reduction } from '@manybody/core'
import { isJoined, type JoinedReduction, joinOf } from '@manybody/core/backend'
import { count } from './count.ts'
import { extreme } from './extreme.ts'
import type { FoldOf, SourceOrder } from './fold.ts'
import { joined } from './joined.ts'
import { list } from './list.ts'
import { logsumexp } from './logsumexp.ts'
import { smallest } from './smallest.ts'
import { sum } from './sum.ts'

const folds: {
  readonly [R in Exclude<Reduction, JoinedReduction | 'none'>]: (workload: PairWorkload, order: SourceOrder) => FoldOf
} = {
  sum: ({ results }) => sum(results[0] ?? 'value'),
  argmin: (_, order) => extreme('least', order),
  argmax: (_, order) => extreme('greatest', order),
  logsumexp: () => logsumexp,
  count: () => count,
  list: () => list,
  smallest: ({ k = 1 }, order) => smallest(k, order),
}

/** The fold of a workload; undefined for a matrix, which keeps all terms. */
export function foldOf(workload: PairWorkload, order: SourceOrder): FoldOf | undefined {
  const { reduction } = workload
  if (reduction === 'none') return undefined
  return isJoined(reduction) ? joined(joinOf(reduction)) : folds[reduction](workload, order)
}
