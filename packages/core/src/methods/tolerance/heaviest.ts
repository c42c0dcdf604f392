/**
 * The points with the largest weights, if these are much larger than other weights. A sample of all points hardly ever has them, but
 * they move all others, and are in a field that is not their own.
 *
 * @module
 */
import type { Bindings } from '../../contract/backend.ts'
import type { FloatArray } from '../../ground/checks.ts'
import { parseAttribute } from '../../ground/names.ts'
import { symbolsOf } from '../../language/nodes.ts'
import type { SourceWeight } from '../../problem/workloads/tree-facts.ts'
import type { Shape } from '../../problem/workloads/workload.ts'
import { weightsOf } from './weighted-points.ts'

/** How many there are. */
const most = 8
/** A point is much heavier than others if its weight is this many times the mean. */
const times = 8

/**
 * The heaviest points outside a sample; none if no point is much heavier than this sample is on average, or if the targets are
 * not the sources.
 */
export function heaviestPoints(
  weights: readonly SourceWeight[],
  { sameSet }: Pick<Shape, 'sameSet'>,
  { sources, parameters }: Bindings,
  sample: readonly number[],
): readonly number[] {
  if (!sameSet) return []
  const known = new Set(sample)
  const arrays = attributesOf(weights).map((name) => [name, sources.arrays[name] as FloatArray] as const)
  // A weight that is computed is large where an attribute is. To compute all would take longer than the sum.
  const others = [...new Set(arrays.flatMap(([, array]) => largestIn(array, known)))]
  const points = [...sample, ...others]
  const some = arrays.map(([name, array]) => [name, Float64Array.from(points, (point) => array[point] as number)])
  const values = weightsOf(weights, Object.fromEntries(some), parameters, points.length)
  const means = values.map((weight) => meanSize(weight, sample.length))
  const relative = (weight: FloatArray, w: number, row: number) => {
    const size = Math.abs(weight[row] as number)
    return size > 0 ? size / (means[w] as number) : 0
  }
  const sizes = points.map((_, row) => values.reduce((sum, weight, w) => sum + relative(weight, w, row), 0))
  if (!sizes.some((size) => size > times * weights.length)) return []
  return others
    .map((point, n) => ({ point, size: sizes[sample.length + n] as number }))
    .sort((a, b) => b.size - a.size)
    .slice(0, most)
    .map(({ point }) => point)
}

/** The mean size of the first numbers. */
function meanSize(numbers: FloatArray, count: number): number {
  let sum = 0
  for (let n = 0; n < count; n++) sum += Math.abs(numbers[n] as number)
  return sum / count
}

const attributesOf = (weights: readonly SourceWeight[]): readonly string[] => [
  ...new Set(
    weights.flatMap(({ value }) => [...symbolsOf(value)].flatMap((name) => parseAttribute(name)?.attribute ?? [])),
  ),
]

/** The indices of the {@link most} largest magnitudes, without the known ones. */
function largestIn(array: FloatArray, known: ReadonlySet<number>): readonly number[] {
  const found: number[] = []
  let least = 0
  for (let n = 0; n < array.length; n++) {
    const size = Math.abs(array[n] as number)
    if (!(size > least) || known.has(n)) continue
    let at = found.length
    while (at > 0 && Math.abs(array[found[at - 1] as number] as number) < size) at--
    found.splice(at, 0, n)
    if (found.length > most) found.pop()
    if (found.length === most) least = Math.abs(array[found[most - 1] as number] as number)
  }
  return found
}
