/**
 * The true results of a workload, from the float64 reference, and the scale against which errors are measured.
 *
 * @module
 */

import type { Bindings, Range } from '../contract/backend.ts'
import type { Precision } from '../ground/precision.ts'
import { ruleOf } from '../problem/reductions/table.ts'
import type { Bound } from '../problem/workloads/bind.ts'
import { deviceNumbers } from '../problem/workloads/numbers/device-numbers.ts'
import type { PairData } from '../problem/workloads/numbers/pair-data.ts'
import type { ArrayResults, Shape, Workload } from '../problem/workloads/workload.ts'
import { elementLoop } from '../truth/reference/element-loop.ts'
import { foldOf, WithMagnitude } from '../truth/reference/folds.ts'
import { pairLoop } from '../truth/reference/pair-loop.ts'
import { arraysOf } from '../truth/reference/program.ts'

export interface Truth {
  readonly results: ArrayResults
  /** For each result, per target: the sum of |terms| if terms are summed, otherwise the largest number of that result. */
  readonly scales: Readonly<Record<string, Float64Array>>
}

export interface TruthOptions {
  readonly targets?: readonly number[]
  /** All by default. */
  readonly sources?: Range | undefined
  readonly precision?: Precision
}

/**
 * The truth for all targets, or for some of them in the order given.
 *
 * With precision `f32` the reference gets the numbers that {@link deviceNumbers} makes of the bindings, as a device does.
 * This is the truth about the device's problem, which differs from the caller's by the rounding of the input. With `f64`
 * the reference gets the bindings unchanged, for the truth about the caller's problem.
 */
export function truthOf(
  workload: Workload,
  wanted: Shape,
  given: Bindings,
  { targets, sources, precision = 'f32' }: TruthOptions = {},
): Truth {
  const { shape, data } = givenTo({ workload, shape: wanted, bindings: given }, precision)
  if (workload.loop !== 'pair') {
    const results = elementLoop(workload, shape, data.targets, data.parameters)
    return { results, scales: largest(results, shape.targets) }
  }
  const indices = targets ?? Array.from({ length: shape.targets }, (_, i) => i)
  const fold = foldOf(workload, shape, indices.length)
  const measured = new WithMagnitude(fold, indices.length)
  for (const _ of pairLoop(workload, shape, data, indices, sources ?? [0, shape.sources], measured));
  const results = measured.results()
  const summed = () => Object.fromEntries(Object.keys(results).map((name) => [name, measured.magnitude]))
  return { results, scales: ruleOf(workload).linear ? summed() : largest(results, indices.length) }
}

/** The run with numbers rounded as for a device of that precision. */
export function givenTo(bound: Bound, precision: Precision): { shape: Shape; data: PairData } {
  const { shape, bindings } = deviceNumbers(bound, precision)
  const { targets, sources, parameters, tables, exclusions, ranges } = bindings
  const [here, there] = [targets, sources].map((set) => arraysOf(set, shape)) as [
    PairData['targets'],
    PairData['sources'],
  ]
  const { lengths } = shape
  return { shape, data: { targets: here, sources: there, parameters, tables, exclusions, ranges, lengths } }
}

/** The largest finite number of each result, or 1, repeated for every target. */
function largest(results: ArrayResults, rows: number): Record<string, Float64Array> {
  return Object.fromEntries(
    Object.entries(results).map(([name, array]) => {
      let most = 0
      for (const value of array) if (Number.isFinite(value)) most = Math.max(most, Math.abs(value))
      return [name, new Float64Array(rows).fill(most || 1)]
    }),
  )
}
