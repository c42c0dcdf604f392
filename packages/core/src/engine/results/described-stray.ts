/**
 * The sentence about results that are not finite. The engine loads it with the first such result.
 *
 * @module
 */
import type { FloatArray } from '../../ground/checks.ts'
import type { Precision } from '../../ground/precision.ts'
import type { Bound } from '../../problem/workloads/bind.ts'
import { componentRun } from '../../problem/workloads/component-blocks.ts'
import { isVectorSum } from '../../problem/workloads/law-facts.ts'
import type { PairBound } from '../../problem/workloads/numbers/bind-again.ts'
import { type StrayPlace, whyNotFinite } from '../../truth/reference/strays/why-not-finite.ts'

/** The first number of a result that is not finite. */
export interface Stray {
  readonly name: string
  readonly index: number
  readonly array: FloatArray
  /** Whether a number is not finite, and not an infinity that is the right answer. */
  readonly isStray: (x: number) => boolean
}

/**
 * `"force" of point 3 and 2 more is NaN: ...`
 *
 * @param bound the run as the device got it
 * @param firstRow the first row of a matrix that the results have
 */
export function describedStray(
  { workload, shape, bindings }: Bound,
  stray: Stray,
  precision: Precision,
  firstRow: number,
): string {
  const { name, index, array, isStray } = stray
  const pairs = workload.loop === 'pair'
  const matrix = pairs && workload.reduction === 'none'
  const width = Math.max(1, matrix ? shape.sources : array.length / shape.targets)
  const [row, component] = [Math.floor(index / width), index % width]
  const target = firstRow + row
  let [others, latest] = [0, row]
  for (let n = index + 1; n < array.length; n++) {
    const place = matrix ? n : Math.floor(n / width)
    if (place === latest || !isStray(array[n] as number)) continue
    others++
    latest = place
  }
  const one = !pairs || shape.sameSet ? 'point' : 'target'
  const where = matrix ? `row ${target}, column ${component}` : `${workload.loop === 'grid' ? 'cell' : one} ${target}`
  const place = { target, output: name, component, ...(matrix && { source: component }) }
  const bound = { workload, shape, bindings }
  const why = isVectorSum(workload, shape)
    ? whyComponent({ workload, shape, bindings }, { ...place, component: 0 }, component, precision)
    : whyNotFinite(bound, place, precision)
  return `"${name}" of ${where}${others > 0 ? ` and ${others} more` : ''} is ${array[index]}: ${why ?? unknown}`
}

/** Why a component of a vector is not finite. */
function whyComponent(
  given: PairBound,
  place: StrayPlace,
  component: number,
  precision: Precision,
): string | undefined {
  const { bound, named } = componentRun(given, component)
  const why = whyNotFinite(bound, place, precision)
  return why && `in component ${component}, ${named(why)}`
}

/** Devices do the steps of a term in another order than the reference, and some skip numbers near the ends of float32. */
const unknown = 'it is finite in float64, so a step leaves float32; use other units or precision "f64"'
