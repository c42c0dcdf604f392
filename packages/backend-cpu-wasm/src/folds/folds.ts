/**
 * The fold of each reduction.
 *
 * @module
 */
import type { PairWorkload, Reduction } from '@manybody/core'
import { count } from './count.ts'
import { extreme } from './extreme.ts'
import type { FoldOf } from './fold.ts'
import { logsumexp } from './logsumexp.ts'
import { smallest } from './smallest.ts'
import { sum } from './sum.ts'

const folds: { readonly [R in Exclude<Reduction, 'none'>]: (workload: PairWorkload) => FoldOf } = {
  sum: ({ results }) => sum(results[0] ?? 'value'),
  min: () => extreme('least', false),
  max: () => extreme('greatest', false),
  argmin: () => extreme('least', true),
  argmax: () => extreme('greatest', true),
  logsumexp: () => logsumexp,
  count: () => count,
  smallest: ({ k = 1 }) => smallest(k),
}

/** The fold of a workload; a matrix keeps all terms and has none. */
export function foldOf(workload: PairWorkload): FoldOf | undefined {
  return workload.reduction === 'none' ? undefined : folds[workload.reduction](workload)
}
