/**
 * Whether results of some targets are within their bounds, for whoever has the numbers of a device and no engine.
 *
 * @module
 */
import type { Range } from '../backend.ts'
import type { Judged } from '../error-analysis/judging.ts'
import { type Compared, resultErrors } from '../reference/result-errors.ts'
import type { Bound } from '../workloads/bind.ts'
import { givenTo, type Truth, truthOf } from './truth.ts'

/** Results of some targets, one after the other. */
export interface SomeRows extends Pick<Compared, 'targets' | 'results' | 'report'> {
  /** The sources that were run over; all by default. */
  readonly sources?: Range
}

/** For each target, whether all its numbers are within the bounds of rounding, and of the tolerance if the workload has one. */
export function rowsWithin({ workload, shape, bindings }: Bound, rows: SomeRows): readonly boolean[] {
  const { targets, sources, report, results } = rows
  // The numbers of a device are the exact problem.
  const truth = truthOf(workload, shape, bindings, { targets, sources, precision: 'f64' })
  const given = givenTo({ workload, shape, bindings }, 'f64')
  const judged = resultErrors({ ...given, workload, targets, report, results, truth: truth.results })
  const tolerance = workload.loop === 'pair' ? (workload.method?.tolerance ?? 0) : 0
  return judged.map((one, row) =>
    Object.values(widened(one, row, truth, tolerance)).every(({ errors, bounds }) =>
      Array.from(errors).every((error, n) => error <= (bounds[n] as number)),
    ),
  )
}

/** Bounds for a sum that may be approximated: each number of a vector may have the error of the whole. */
export function widened(
  judged: Readonly<Record<string, Judged>>,
  row: number,
  { scales }: Truth,
  tolerance: number,
): Readonly<Record<string, Judged>> {
  return Object.fromEntries(
    Object.entries(judged).map(([name, { errors, bounds }]) => {
      const more = tolerance * (scales[name]?.[row] as number)
      return [name, { errors, bounds: Float64Array.from(bounds, (bound) => bound + more) }]
    }),
  )
}
