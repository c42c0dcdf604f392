/**
 * How far the results of a run are from the reference, and how far they may be. The bounds come from an analysis of rounding in its law
 * and its data for the compared targets.
 *
 * @module
 */
import type { Report } from '../../contract/backend.ts'
import { listAt, listsIn } from '../../problem/reductions/lists.ts'
import type { PairData } from '../../problem/workloads/numbers/pair-data.ts'
import type { ArrayResults, Shape, Workload } from '../../problem/workloads/workload.ts'
import { arithmeticOf } from '../error-analysis/arithmetic.ts'
import type { Judged, TargetNumbers } from '../error-analysis/judging.ts'
import { pairTerms } from '../error-analysis/pair-terms.ts'
import { definitions } from '../folds/definitions.ts'
import { makesLists } from '../lists/prepared-on.ts'
import { elementErrors } from './element-errors.ts'

export interface Compared {
  readonly workload: Workload
  readonly shape: Shape
  readonly data: PairData
  readonly targets: readonly number[]
  readonly report: Pick<Report, 'accumulation' | 'chains' | 'precision' | 'kind'>
  /** The numbers of all targets, one after the other. */
  readonly results: ArrayResults
  readonly truth: ArrayResults
}

/** For each target and result: the error and the bound of each number. */
export function resultErrors(compared: Compared): readonly Readonly<Record<string, Judged>>[] {
  const { workload, shape, data, targets, report, results, truth } = compared
  const arithmetic = arithmeticOf(report)
  const rows = targets.length
  const lists = makesLists(workload)
  const rowOf = (all: ArrayResults, row: number): TargetNumbers =>
    lists ? { index: listAt(listsIn(all), row) } : widthsOf(all, row)
  const widthsOf = (all: ArrayResults, row: number): TargetNumbers =>
    Object.fromEntries(
      Object.entries(all).map(([name, array]) => {
        const width = (truth[name]?.length ?? 0) / rows
        return [name, array.subarray(row * width, (row + 1) * width)]
      }),
    )
  if (workload.loop === 'pair') {
    const termsOf = pairTerms(workload, shape, data, arithmetic)
    const { judge } = definitions[workload.reduction]
    const context = { arithmetic, report }
    return targets.map((target, row) => judge(termsOf(target), rowOf(results, row), rowOf(truth, row), context))
  }
  const all = elementErrors(workload, shape, data.targets, data.parameters, arithmetic, compared)
  return targets.map((_, row) =>
    Object.fromEntries(
      Object.entries(all).map(([name, { errors, bounds }]) => {
        const width = errors.length / rows
        const here = [row * width, (row + 1) * width] as const
        return [name, { errors: errors.subarray(...here), bounds: bounds.subarray(...here) }]
      }),
    ),
  )
}
