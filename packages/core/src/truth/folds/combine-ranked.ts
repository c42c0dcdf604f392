/**
 * Keeps the best of two results that hold sources with their numbers: of equal numbers the lower index, and any source before
 * none (-1).
 *
 * @module
 */
import type { FloatArray } from '../../ground/checks.ts'
import type { ArrayResults } from '../../problem/reductions/rule.ts'

/**
 * @param name the result that holds the numbers
 * @param sign 1 if less is better, -1 if more is
 * @param k how many sources each target has
 */
export function combineRanked(a: ArrayResults, b: ArrayResults, name: string, sign: 1 | -1, k = 1): ArrayResults {
  const [index, kept] = [Int32Array.from(a.index ?? []), (a[name] as FloatArray).slice()]
  for (let row = 0; row < index.length; row += k) {
    const ranks = [a, b].flatMap((part) =>
      Array.from({ length: k }, (_, q) => [part.index?.[row + q], part[name]?.[row + q]] as [number, number]),
    )
    const found = ranks.filter(([j]) => j >= 0).sort(([i, x], [j, y]) => sign * (x - y) || i - j)
    for (const [q, [j, x]] of found.slice(0, k).entries()) {
      index[row + q] = j
      kept[row + q] = x
    }
  }
  return { index, [name]: kept }
}
