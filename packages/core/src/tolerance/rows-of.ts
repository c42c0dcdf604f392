/**
 * Some points of a set, as a set of their own.
 *
 * @module
 */
import type { PointSet } from '../backend.ts'
import type { FloatArray } from '../checks.ts'

export function rowsOf(set: PointSet, rows: readonly number[]): PointSet {
  const arrays = Object.entries(set.arrays).map(([name, array]) => {
    const numbers = array as FloatArray
    const width = numbers.length / set.count
    const some = numbers.slice(0, rows.length * width)
    for (const [n, row] of rows.entries()) some.set(numbers.subarray(row * width, (row + 1) * width), n * width)
    return [name, some] as const
  })
  return { count: rows.length, arrays: Object.fromEntries(arrays) }
}
