/**
 * The arrays of the points of a simulation by name, and which of them have one number per component.
 *
 * @module
 */
import type { FloatArray } from '../checks.ts'

export type PointArrays = { readonly position: FloatArray; readonly velocity: FloatArray } & Readonly<
  Record<string, FloatArray>
>

/** Arrays that every simulation has, with one number per component. A user gives the first two. */
export const moving: readonly string[] = ['position', 'velocity', 'acceleration', 'previous']

/** The arrays with one number per component. Without points, those that always have. */
export function vectorsOf(arrays: PointArrays): readonly string[] {
  const { length } = arrays.position
  const own = Object.keys(arrays).filter((name) => length > 0 && arrays[name]?.length === length)
  return [...new Set([...moving, ...own])]
}
