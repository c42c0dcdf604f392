/**
 * The `k` least distances and their sources, ascending, equal ones in the order of sources. State: both so far, index -1
 * where fewer than `k` were met.
 *
 * @module
 */
import type { FloatArray } from '../checks.ts'
import type { Combine, ReductionRule } from './rule.ts'

export const smallest: ReductionRule = {
  results: { index: -1, distance: Number.POSITIVE_INFINITY },
  width: 'k',
}

export const combineSmallest: Combine = (a, b, { k = 1 }) => {
  const [index, distance] = [Int32Array.from(a.index ?? []), (a.distance as FloatArray).slice()]
  for (let row = 0; row < index.length; row += k) {
    const entries = [a, b].flatMap((part) =>
      Array.from({ length: k }, (_, q) => ({
        j: part.index?.[row + q] as number,
        r: part.distance?.[row + q] as number,
      })),
    )
    const found = entries.filter(({ j }) => j >= 0).sort((x, y) => x.r - y.r || x.j - y.j)
    for (const [q, { j, r }] of found.slice(0, k).entries()) {
      index[row + q] = j
      distance[row + q] = r
    }
  }
  return { index, distance }
}
