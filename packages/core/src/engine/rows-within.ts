/**
 * Whether results of some targets are within their bounds, for code that has a device's numbers and no engine.
 *
 * @module
 */
import type { Range } from '../contract/backend.ts'
import type { FloatArray } from '../ground/checks.ts'
import type { Tree } from '../problem/reductions/tree.ts'
import type { Bound } from '../problem/workloads/bind.ts'
import type { Judged } from '../truth/error-analysis/judging.ts'
import { type Compared, resultErrors } from '../truth/reference/result-errors.ts'
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
  const method = workload.loop === 'pair' ? workload.method : undefined
  return judged.map((one, row) =>
    Object.values(widened(one, row, truth, method)).every(({ errors, bounds }) =>
      Array.from(errors).every((error, n) => error <= (bounds[n] as number)),
    ),
  )
}

/** A target may be this many times as far off as the average target. At most one in 64 is farther off. */
const farOff = 8

/** Bounds for a sum that may be approximated: each number of a vector may have the error of the whole. */
export function widened(
  judged: Readonly<Record<string, Judged>>,
  row: number,
  { scales, results }: Truth,
  method: Pick<Tree, 'tolerance' | 'of'> | undefined,
): Readonly<Record<string, Judged>> {
  return Object.fromEntries(
    Object.entries(judged).map(([name, { errors, bounds }]) => {
      const { tolerance = 0, of } = method ?? {}
      const scale = scales[name] as FloatArray
      const size =
        of === 'result' ? farOff * meanSize(results[name] as FloatArray, scale.length) : (scale[row] as number)
      const more = tolerance * size
      return [name, { errors, bounds: Float64Array.from(bounds, (bound) => bound + more) }]
    }),
  )
}

/** The root mean square of vectors, one of each target. */
function meanSize(vectors: FloatArray, targets: number): number {
  let squares = 0
  for (const x of vectors) squares += x * x
  return Math.sqrt(squares / targets)
}
