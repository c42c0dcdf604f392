/**
 * The specification of every pair workload: two plain nested loops in float64.
 *
 * For each target, it folds the terms of all sources that count, one after the other. A pair does not count if it is a point
 * with itself (unless requested), excluded, beyond the cutoff, or coincident without a finite term.
 * Displacements are source minus target, to the nearest image in a periodic box. If blocks of targets are given ranges, only
 * the sources in them are visited.
 *
 * @module
 */
import type { Range } from '../../contract/backend.ts'
import { roundHalfEven } from '../../language/functions/rounding.ts'
import { rangesOf } from '../../methods/ranges/source-ranges.ts'
import { needsGuard } from '../../problem/workloads/bodies/coincident.ts'
import { backIn, turnBack } from '../../problem/workloads/cell.ts'
import { cutoffOfPairs } from '../../problem/workloads/cutoff.ts'
import type { PairData } from '../../problem/workloads/numbers/pair-data.ts'
import { termOf } from '../../problem/workloads/quantity.ts'
import type { PairWorkload, Shape } from '../../problem/workloads/workload.ts'
import { PairTerm } from './pair-term.ts'

/** Gets the term of source `j` for the target in `row`, as a fold does. Both arrays are overwritten by the next pair. */
interface Visitor {
  add(row: number, j: number, term: Float64Array, displacement: Float64Array): void
}

/** Folds the terms of each target in `targetIndices` over the sources of `range`. Yields after each target. */
export function* pairLoop(
  workload: PairWorkload,
  shape: Shape,
  data: PairData,
  targetIndices: Iterable<number>,
  range: Range,
  fold: Visitor,
): Generator<void> {
  const { domain, law, limit } = workload
  const { dimension } = shape
  const { parameters, exclusions, ranges } = data
  const skipSelf = shape.sameSet && domain.self === 'exclude'
  const lengths = ['boxX', 'boxY', 'boxZ'].map((name) => parameters[name])
  const back = backIn(parameters)
  const cutoff = domain.cutoff ? (parameters.cutoff as number) ** 2 : Number.POSITIVE_INFINITY
  const own = cutoffOfPairs(workload)
  const cutoffs = own && new PairTerm({ form: 'components', components: [own] }, law, dimension, data, false)
  const guard = needsGuard(workload, dimension, parameters)
  const pair = new PairTerm(termOf(workload, dimension), law, dimension, data, guard)
  const d = new Float64Array(3)
  const [here, there] = [data.targets.position ?? d, data.sources.position ?? d]

  let row = 0
  for (const i of targetIndices) {
    const excluded = new Set(exclusions?.sources.subarray(exclusions.offsets[i], exclusions.offsets[i + 1]))
    pair.target(i)
    cutoffs?.target(i)
    for (const [first, last] of rangesOf(ranges, i, range))
      for (let j = first; j < last; j++) {
        if (skipSelf && i === j) continue
        if (excluded.has(j)) continue
        let r2 = 0
        for (let axis = 0; axis < dimension; axis++) {
          let along = (there[j * dimension + axis] as number) - (here[i * dimension + axis] as number)
          const length = lengths[axis]
          if (length !== undefined) along -= length * roundHalfEven(along / length)
          d[axis] = along
          if (!back) r2 += along * along
        }
        if (back) r2 = turnBack(back, d, dimension)
        if (r2 > cutoff) continue
        // A pair with a negative cutoff is never near enough.
        const reach = cutoffs?.term(j, d, r2)?.[0] ?? 0
        if (cutoffs && !(r2 <= reach * Math.abs(reach))) continue
        const term = pair.term(j, d, r2)
        // NaN is no term within a limit.
        if (limit !== undefined && term && !((term[0] as number) <= limit)) continue
        if (term) fold.add(row, j, term, d)
      }
    row++
    yield
  }
}
