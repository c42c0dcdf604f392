/**
 * Sets of points as users pass them, and their checks before anything runs.
 *
 * @module
 */

import type { PointSet } from '../../ground/arrays/bindings.ts'
import { magnitudesOf } from '../../ground/arrays/magnitudes.ts'
import { flattened } from '../../ground/arrays/other-forms.ts'
import { arrayTypes, describe, type FloatArray, type Numbers, takenArray } from '../../ground/checks.ts'
import { nameOf, record } from '../../ground/names.ts'
import type { ArrayInput } from './numbers/gpu-buffers.ts'
import type { Dimension, PairWorkload } from './workload.ts'

/** Any names. */
export type Named = Readonly<Record<string, unknown>>

/**
 * Arrays by name, and the `dimension`, 1, 2 or 3, by default 3. Its type is `number`, because `dimension: 2` has this type in an object that
 * a program keeps. `count` is the number of points, which vectors alone do not tell. `Given` is the type of the object, which may be an interface without an index signature.
 */
export type Attributes<Given = Named> = {
  readonly [Name in keyof Given]:
    | ArrayInput
    | ('dimension' extends Name ? number : 'count' extends Name ? number : never)
    | undefined
} & { readonly dimension?: number }

/** Points: `position` interleaved, `[count, dimension]`, and attributes, `[count]` each. */
export type ParticleSet<Given = Named> = Attributes<Given> & { readonly position: ArrayInput }

/** One set that acts on itself, two sets, or the scalar field of a grid. */
export type Particles<Given = Named, Targets = Named, Sources = Named> =
  | ParticleSet<Given>
  | { readonly targets: ParticleSet<Targets>; readonly sources: ParticleSet<Sources> }
  | { readonly field: ArrayInput }

/** The points of a term. A term of vectors needs no positions. */
export type TermParticles<Given = Named, Targets = Named, Sources = Named> =
  | Particles<Given, Targets, Sources>
  | Attributes<Given>
  | { readonly targets: Attributes<Targets>; readonly sources: Attributes<Sources> }

/** The input of a workload: any attributes for a map and for links, those of a term for its values and their count, points or a field for others. */
export type DataFor<W, Given = Named, Targets = Named, Sources = Named> = W extends
  | { readonly operation: 'map' }
  | { readonly loop: 'link' }
  ? Attributes<Given>
  : W extends PairWorkload<infer Name>
    ? 'value' extends Name | (W extends { readonly limit: number } ? 'value' : never)
      ? TermParticles<Given, Targets, Sources>
      : Particles<Given, Targets, Sources>
    : Particles<Given, Targets, Sources>

export interface CheckedSet extends PointSet {
  readonly dimension: Dimension
  readonly prefix: string
  readonly vectors: readonly string[]
  readonly arrays: Readonly<Record<string, FloatArray>>
}

/** Whether a value can hold arrays by name. */
export const isSet = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value)

/** The error for a value that is not a set of points. The remedy names its numbers, if it has some. */
export function noSet(name: string, forms: string, got: unknown): TypeError {
  const what = got === undefined ? 'nothing' : describe(got)
  const flat = Array.isArray(got) && got.every((item) => typeof item === 'number')
  const numbers = flat || got instanceof Float32Array || got instanceof Float64Array ? name : flattened(got, name)
  const remedy = numbers === undefined ? '' : `; give { position: ${numbers} }, and dimension: 2 for points in 2-D`
  return new TypeError(`"${name}" expected ${forms}, got ${what}${remedy}`)
}

/**
 * Checks a set of points and their attributes, and copies the numbers.
 *
 * @param long attributes that may be vectors of any length
 * @throws TypeError, RangeError
 */
export function pointSet(given: unknown, prefix: string, long: readonly string[] = []): CheckedSet {
  if (!isSet(given)) throw noSet(prefix.slice(0, -1), '{ position, ... }', given)
  if (!('position' in given)) {
    const names = Object.keys(given)
    const axes = ['x', 'y', 'z'].filter((axis) => names.includes(axis))
    const point = axes.map((axis) => `${axis}[n]`).join(', ')
    const together = axes[0] && `; give position: Array.from(${axes[0]}, (_, n) => [${point}]).flat()`
    const known = names[0] === undefined ? '' : `; given: ${names.join(', ')}`
    throw new TypeError(`"${prefix}position" expected ${arrayTypes}, got nothing${together ?? known}`)
  }
  const { dimension: wanted, position, ...attributes } = given as { dimension?: unknown; position: unknown }
  const dimension = dimensionOf(wanted, prefix)
  const coordinates = takenArray(position, `${prefix}position`)
  const count = pointCount(coordinates, dimension, prefix)
  const arrays = record<FloatArray>([['position', coordinates]])
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined) continue
    nameOf(name, 'particles')
    if (long.includes(name) && count > 0) {
      const array = takenArray(value, `${prefix}${name}`)
      if (array.length === 0 || array.length % count !== 0)
        throw new RangeError(
          `"${prefix}${name}" expected a length that is a multiple of ${count}, the number of points, as a law reads a vector, got ${array.length}`,
        )
      arrays[name] = array
      continue
    }
    const { length } = Object(value) as Numbers
    const wide = length === count * dimension
    const flat = dimension === 3 && 2 * length === coordinates.length
    const why = `, one number per point${flat ? '; in 2-D, give dimension: 2' : ''}`
    arrays[name] = takenArray(value, `${prefix}${name}`, wide ? count * dimension : count, why)
  }
  return { count, dimension, prefix, arrays, vectors: ['position'] }
}

/** The dimension, by default 3. @throws RangeError */
export function dimensionOf(wanted: unknown, prefix: string): Dimension {
  if (wanted === undefined) return 3
  if (wanted === 1 || wanted === 2 || wanted === 3) return wanted
  const more = typeof wanted === 'number' && wanted > 3
  const hint = more ? "; for more, terms read a vector: nearest(8, pairTerm('sqdist(x_i, x_j)')()) of { x, count }" : ''
  throw new RangeError(`"${prefix}dimension" expected 1, 2 or 3, got ${describe(wanted)}${hint}`)
}

/** The number of points with these coordinates. @throws RangeError */
export function pointCount(position: FloatArray, dimension: Dimension, prefix: string): number {
  const count = position.length / dimension
  if (Number.isInteger(count)) return count
  const hint = dimension === 3 && position.length % 2 === 0 ? '; for points in 2-D give dimension: 2' : ''
  throw new RangeError(
    `"${prefix}position" expected ${dimension} numbers per point, got length ${position.length}${hint}`,
  )
}

/** Checks that the attributes of a law exist. @throws TypeError, RangeError */
export function requireAttributes(set: CheckedSet, needed: readonly string[], law: string): void {
  for (const name of needed) {
    const array = set.arrays[name]
    if (array === undefined)
      throw new TypeError(
        `"${set.prefix}${name}" expected ${arrayTypes}, as ${law} reads it, got nothing; given: ${Object.keys(set.arrays).join(', ')}`,
      )
    if (array.length !== set.count) {
      const remedy = array.length === set.count * set.dimension ? `; a law reads components, such as ${name}_x_i` : ''
      throw new RangeError(
        `"${set.prefix}${name}" expected length ${set.count}, one number per point, got ${array.length}${remedy}`,
      )
    }
  }
}

export function requireInertia(inertia: string, set: Pick<CheckedSet, 'arrays'>): void {
  const array = set.arrays[inertia]
  // Zeros are among the small numbers, and their indices are known.
  const at = !array || magnitudesOf(array).small?.length === 0 ? -1 : array.indexOf(0)
  if (at >= 0)
    throw new RangeError(
      `"${inertia}" expected numbers other than 0, as acceleration is force divided by it, got 0 at index ${at}; use forces(law)`,
    )
}
