/**
 * How far the results of a run are from the reference, and how far they may be, by an analysis of rounding in its law and its
 * data for the compared targets.
 *
 * @module
 */
import type { Report } from '../backend.ts'
import { arithmeticOf } from '../error-analysis/arithmetic.ts'
import { distance, type Judged, type TargetNumbers } from '../error-analysis/judging.ts'
import { pairTerms } from '../error-analysis/pair-terms.ts'
import { definitions } from '../folds/definitions.ts'
import { makesLists } from '../lists/list-program.ts'
import { listAt, listsIn } from '../reductions/lists.ts'
import type { PairData } from '../workloads/numbers/pair-data.ts'
import type { ArrayResults, Shape, Workload } from '../workloads/workload.ts'
import { elementBounds } from './element-errors.ts'

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
  const bounds = elementBounds(workload, shape, data.targets, data.parameters, arithmetic)
  return targets.map((_, row) => {
    const [out, expected, allowed] = [rowOf(results, row), rowOf(truth, row), rowOf(bounds, row)]
    return Object.fromEntries(
      Object.entries(expected).map(([name, values]) => [
        name,
        {
          errors: Float64Array.from(values, (value, n) => distance(out[name]?.[n], value)),
          bounds: allowed[name] ?? [],
        },
      ]),
    )
  })
}
