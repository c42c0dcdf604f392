/**
 * Components of vectors in laws of pairs. A law reads one number per point, such as `velocity_x_j`, from an array with that
 * number alone; a simulation keeps such arrays for the vectors that its laws read.
 *
 * @module
 */
import type { FloatArray } from '../../ground/checks.ts'
import { attributesRead } from '../../problem/workloads/quantity.ts'
import type { Dimension, PairWorkload } from '../../problem/workloads/workload.ts'

export interface ComponentOf {
  readonly vector: string
  readonly axis: number
}

/** The components that a workload reads, by name. An array with that name takes precedence. */
export function componentsRead(
  workload: PairWorkload,
  arrays: Readonly<Record<string, FloatArray>>,
  dimension: Dimension,
): ReadonlyMap<string, ComponentOf> {
  const { targets, sources } = attributesRead(workload, dimension)
  const found = new Map<string, ComponentOf>()
  for (const name of [...targets, ...sources]) {
    const [, vector = '', letter = ''] = /^(.+)_([xyz])$/.exec(name) ?? []
    const axis = 'xyz'.indexOf(letter || '-')
    const isVector = vector !== 'position' && arrays[vector]?.length === arrays.position?.length
    if (axis >= 0 && axis < dimension && isVector && !Object.hasOwn(arrays, name)) found.set(name, { vector, axis })
  }
  return found
}

/** One component of all vectors of an array. */
export function componentIn(array: FloatArray, { axis }: ComponentOf, dimension: Dimension): FloatArray {
  return array.filter((_, n) => n % dimension === axis)
}
