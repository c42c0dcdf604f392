/**
 * The fold of each reduction.
 *
 * @module
 */
import type { PairWorkload, Reduction } from '@manybody/core'
import { count } from './count.ts'
import { extreme } from './extreme.ts'
import type { FoldOf, SourceOrder } from './fold.ts'
import { logsumexp } from './logsumexp.ts'
import { smallest } from './smallest.ts'
import { sum } from './sum.ts'

const folds: {
  readonly [R in Exclude<Reduction, 'none'>]: (workload: PairWorkload, order: SourceOrder) => FoldOf
} = {
  sum: ({ results }) => sum(results[0] ?? 'value'),
  min: (_, order) => extreme('least', false, order),
  max: (_, order) => extreme('greatest', false, order),
  argmin: (_, order) => extreme('least', true, order),
  argmax: (_, order) => extreme('greatest', true, order),
  logsumexp: () => logsumexp,
  count: () => count,
  smallest: ({ k = 1 }, order) => smallest(k, order),
}

/** The fold of a workload; undefined for a matrix, which keeps all terms. */
export function foldOf(workload: PairWorkload, order: SourceOrder): FoldOf | undefined {
  return workload.reduction === 'none' ? undefined : folds[workload.reduction](workload, order)
}
