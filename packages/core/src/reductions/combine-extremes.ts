/**
 * Chooses the better of two extremes with their sources: of equal ones the lower index, and any source before none (-1).
 *
 * @module
 */
import type { FloatArray } from '../checks.ts'
import type { ArrayResults } from './rule.ts'

export function combineExtremes(
  a: ArrayResults,
  b: ArrayResults,
  better: (x: number, y: number) => boolean,
): ArrayResults {
  const [index, value] = [Int32Array.from(a.index ?? []), (a.value as FloatArray).slice()]
  for (const [n, i] of index.entries()) {
    const [j, here, there] = [b.index?.[n] as number, value[n] as number, b.value?.[n] as number]
    const earlier = here === there && j < i
    if (j < 0 || (i >= 0 && !better(there, here) && !earlier)) continue
    index[n] = j
    value[n] = there
  }
  return { index, value }
}
