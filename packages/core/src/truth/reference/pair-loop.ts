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
import { PairBlock, type Visitor } from './pair-block.ts'

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
  const guard = needsGuard(workload, dimension, parameters)
  const reach = cutoffOfPairs(workload)
  const block = new PairBlock(termOf(workload, dimension), law, dimension, data, { guard, reach, limit })
  const d = new Float64Array(3)
  const [here, there] = [data.targets.position ?? d, data.sources.position ?? d]
  /** Takes the pairs of target `i` with sources from `first` to `last` into the block. A loop in a generator is slow. */
  const meet = (i: number, row: number, first: number, last: number, excluded: ReadonlySet<number> | undefined) => {
    for (let j = first; j < last; j++) {
      if ((skipSelf && i === j) || excluded?.has(j)) continue
      let r2 = 0
      for (let axis = 0; axis < dimension; axis++) {
        let along = (there[j * dimension + axis] as number) - (here[i * dimension + axis] as number)
        const length = lengths[axis]
        if (length !== undefined) along -= length * roundHalfEven(along / length)
        d[axis] = along
        r2 += along * along
      }
      if (back) r2 = turnBack(back, d, dimension)
      if (r2 > cutoff) continue
      if (block.take(j, d[0] as number, d[1] as number, d[2] as number, r2)) block.fold(row, fold)
    }
  }

  let row = 0
  for (const i of targetIndices) {
    const excluded = exclusions?.sources.subarray(exclusions.offsets[i], exclusions.offsets[i + 1])
    const without = excluded && new Set(excluded)
    block.target(i)
    for (const [first, last] of rangesOf(ranges, i, range)) meet(i, row, first, last, without)
    block.fold(row, fold)
    row++
    yield
  }
}
