/**
 * Components of vectors among the attributes of points. A law reads one number per point, such as `mu_x_j`; if no array has that name,
 * the number is a component of the vector `mu`.
 *
 * @module
 */
import type { FloatArray } from '../../ground/checks.ts'
import type { CheckedSet } from './particles.ts'
import type { Dimension } from './workload.ts'

export interface ComponentOf {
  readonly vector: string
  readonly axis: number
}

/** The component that a name means, unless an array has that name. */
export function componentNamed(
  name: string,
  arrays: Readonly<Record<string, FloatArray>>,
  dimension: Dimension,
): ComponentOf | undefined {
  const [, vector = '', letter = ''] = /^(.+)_([xyz])$/.exec(name) ?? []
  const axis = 'xyz'.indexOf(letter || '-')
  const isVector = vector !== 'position' && arrays[vector]?.length === arrays.position?.length
  return axis >= 0 && axis < dimension && isVector && !Object.hasOwn(arrays, name) ? { vector, axis } : undefined
}

/** One component of all vectors of an array. */
export function componentIn(array: FloatArray, { axis }: ComponentOf, dimension: Dimension): FloatArray {
  return array.filter((_, n) => n % dimension === axis)
}

/** The set with an array for each component that is read. The same object if there is none. */
export function withComponents(set: CheckedSet, read: readonly string[]): CheckedSet {
  const { arrays, dimension } = set
  if (read.every((name) => Object.hasOwn(arrays, name))) return set
  const found = read.flatMap((name) => {
    const of = componentNamed(name, arrays, dimension)
    return of ? [[name, componentIn(arrays[of.vector] as FloatArray, of, dimension)] as const] : []
  })
  return found.length === 0 ? set : { ...set, arrays: { ...arrays, ...Object.fromEntries(found) } }
}
