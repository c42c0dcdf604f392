/**
 * The errors of a sum with a tolerance, estimated from some targets. They are relative to the sizes of terms and to the results, and
 * take the form of a report.
 *
 * @module
 */
import type { MeasuredError } from '../../contract/backend.ts'
import type { FloatArray } from '../../ground/checks.ts'
import type { ToleranceOf } from '../../ground/report.ts'
import type { Tree } from '../../problem/reductions/tree.ts'
import type { ArrayResults } from '../../problem/workloads/workload.ts'
import type { Sampled } from './sampled.ts'

/** The errors of some targets. */
export type TargetErrors = Pick<MeasuredError, 'largest' | 'rms' | 'ofResults' | 'targets'>

/** The errors of a setting that was not measured, or of a run over all pairs. */
export const unmeasured = (error: number): TargetErrors => ({ largest: error, rms: 0, ofResults: error, targets: 0 })

/**
 * The errors of the sums of a tree. `value` has the sums over all pairs, and the sizes of their terms. Means are taken over the
 * targets that are spread over the set, because the heaviest would count too much.
 *
 * A target without terms is measured by the largest size of others, as the only mass among points without mass. If there is none, a
 * point meets its own images alone, and is measured by its sum.
 */
export function judged(
  sums: FloatArray,
  { value }: ArrayResults,
  { targets, spread }: Pick<Sampled, 'targets' | 'spread'>,
): TargetErrors {
  const truth = value as FloatArray
  const width = truth.length / targets.length
  const sizes = Array.from(targets, (_, row) => truth[(row + 1) * width - 1] as number)
  const most = Math.max(...sizes)
  let [largest, relative, absolute, results] = [0, 0, 0, 0]
  for (const [row, target] of targets.entries()) {
    let squares = 0
    let size2 = 0
    for (let n = 0; n < width - 1; n++) {
      const [got, expected] = [sums[target * (width - 1) + n] as number, truth[row * width + n] as number]
      if (got !== expected) squares += (got - expected) ** 2
      size2 += expected * expected
    }
    const scale = sizes[row] || most || Math.sqrt(size2)
    const error = squares === 0 ? 0 : Math.sqrt(squares) / scale
    largest = Math.max(largest, error)
    if (row >= spread) continue
    relative += error * error
    absolute += squares
    results += size2
  }
  const ofResults = absolute === 0 ? 0 : Math.sqrt(absolute / results)
  return { largest, rms: Math.sqrt(relative / spread), ofResults, targets: targets.length }
}

/** The errors of a run that meets its tolerance, in the form of a report. */
export function reported(
  { largest, rms, ofResults, targets }: TargetErrors,
  { tolerance, of = 'terms' }: Pick<Tree, 'tolerance' | 'of'>,
  note: string,
): MeasuredError {
  return { largest, rms, ofResults, targets, tolerance, of, ok: true, ...(note && { note }) }
}

/** The error that a tolerance bounds. */
export const errorOf = ({ largest, ofResults }: TargetErrors, of: ToleranceOf | undefined): number =>
  of === 'result' ? ofResults : largest
