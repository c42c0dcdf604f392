/**
 * What a workload's results should be, and the scale against which errors are measured, from the float64 reference.
 *
 * @module
 */
import type { Bindings, Precision } from '../backend.ts'
import type { FloatArray } from '../checks.ts'
import { elementLoop } from '../reference/element-loop.ts'
import { foldOf, WithMagnitude } from '../reference/folds.ts'
import { pairLoop } from '../reference/pair-loop.ts'
import { arraysOf } from '../reference/program.ts'
import { componentsOf } from '../workloads/quantity.ts'
import type { ArrayResults, Shape, Workload } from '../workloads/workload.ts'

export interface Truth {
  readonly results: ArrayResults
  /** Per target: the sum of |terms| where terms are summed, else the largest result. */
  readonly scale: Float64Array
}

/**
 * The truth for all targets, or for some of them in the order given.
 *
 * @param precision numbers that the device was given: with `f32`, inputs are rounded first, so that the truth is about
 *   the same problem
 */
export function truthOf(
  workload: Workload,
  shape: Shape,
  bindings: Bindings,
  { targets, precision = 'f32' }: { readonly targets?: readonly number[]; readonly precision?: Precision } = {},
): Truth {
  const round = (arrays: Readonly<Record<string, FloatArray>>) =>
    precision === 'f64'
      ? arrays
      : Object.fromEntries(Object.entries(arrays).map(([name, array]) => [name, Float32Array.from(array)]))
  const data = {
    targets: round(arraysOf(bindings.targets)),
    sources: round(arraysOf(bindings.sources)),
    parameters: bindings.parameters,
    exclusions: bindings.exclusions,
  }
  if (workload.loop !== 'pair') {
    const results = elementLoop(workload, shape, data.targets, data.parameters)
    return { results, scale: largest(results, shape.targets) }
  }
  const indices = targets ?? Array.from({ length: shape.targets }, (_, i) => i)
  const components = componentsOf(workload, shape.dimension)
  const fold = foldOf(workload, { rows: indices.length, components, sources: shape.sources })
  const measured = new WithMagnitude(fold, indices.length)
  for (const _ of pairLoop(workload, shape, data, indices, [0, shape.sources], measured));
  const results = measured.results()
  return { results, scale: workload.reduction === 'sum' ? measured.magnitude : largest(results, indices.length) }
}

/** The largest finite number of the float results, at least 1 for logarithms and the like, for every target. */
function largest(results: ArrayResults, rows: number): Float64Array {
  let most = 0
  for (const array of Object.values(results)) {
    if (array instanceof Int32Array || array instanceof Uint32Array) continue
    for (const value of array) if (Number.isFinite(value)) most = Math.max(most, Math.abs(value))
  }
  return new Float64Array(rows).fill(most || 1)
}
