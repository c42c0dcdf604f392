/**
 * The points of a map: which arrays are vectors, how many points there are, and whether all names are known that its expressions read.
 *
 * @module
 */
import { axesOf } from '../../ground/axes.ts'
import { type FloatArray, takenArray } from '../../ground/checks.ts'
import { nameOf, record } from '../../ground/names.ts'
import { lawFact } from './law-facts.ts'
import { type CheckedSet, dimensionOf, pointCount } from './particles.ts'
import type { Dimension, MapWorkload, Shape } from './workload.ts'

/**
 * The attributes that the expressions of a map read. Arrays of length `count * dimension` are vectors.
 *
 * @param prepared the number of points, if it is known
 */
export function mapSet(workload: MapWorkload, particles: object, prepared?: number): CheckedSet {
  const { dimension: wanted, ...attributes } = particles as { dimension?: unknown }
  const dimension = dimensionOf(wanted, '')
  const arrays = record<FloatArray>([])
  const parameters = Object.keys(workload.parameters)
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined) continue
    nameOf(name, 'particles', ['pi', ...parameters])
    arrays[name] = takenArray(value, name)
  }
  const names = Object.keys(arrays)
  if (names.length === 0) throw new TypeError('"particles" expected at least one attribute to map over, got none')
  const { targets: reads } = lawFact('reads', workload, { dimension, vectors: [] })
  const components = reads.filter((name) => ![...names, ...parameters].includes(name))
  const isVector = (name: string) => componentsOf(name, dimension).some((c) => components.includes(c))
  const count = arrays.position
    ? pointCount(arrays.position, dimension, '')
    : (prepared ?? countWithoutPositions(arrays, isVector, dimension))
  const vectors = names.filter((name) => arrays[name]?.length === count * dimension)
  for (const [name, array] of Object.entries(arrays))
    if (!vectors.includes(name) && array.length !== count)
      throw new RangeError(
        `"${name}" expected length ${count} (one number per point) or ${count * dimension} (one per component), got ${array.length}`,
      )
  requireReads(workload, { names, vectors, dimension })
  return { count, dimension, prefix: '', arrays, vectors }
}

/** The names of the arrays of points, and which of these have one number per component. */
export interface NamedArrays extends Pick<Shape, 'dimension' | 'vectors'> {
  readonly names: readonly string[]
  /** Other arrays that there are, with vectors of any length, which no map reads. */
  readonly long?: Readonly<Record<string, number>>
}

/** Checks that the arrays have all names that a map over points reads. @throws TypeError */
export function requireReads(workload: MapWorkload, { names, vectors, dimension, long = {} }: NamedArrays): void {
  const parameters = Object.keys(workload.parameters)
  const { targets: reads } = lawFact('reads', workload, { dimension, vectors: [] })
  const components = vectors.flatMap((name) => componentsOf(name, dimension))
  for (const name of components)
    if (names.includes(name) && reads.includes(name))
      throw new TypeError(
        `"${name}" is a component of "${name.slice(0, -2)}" and an array among the particles; leave out or rename one of them`,
      )
  const known = [...names, ...components]
  const unknown = reads.find((name) => ![...known, ...parameters].includes(name))
  if (unknown !== undefined && Object.hasOwn(long, unknown))
    throw new TypeError(
      `"${unknown}" expected one number per point, got a vector of ${long[unknown]}, which only laws of pairs read; give the number as an attribute of its own`,
    )
  if (unknown !== undefined)
    throw new TypeError(
      `"${unknown}" expected an attribute or a parameter; given attributes: ${known.join(', ')}; parameters: ${parameters.join(', ') || 'none'}`,
    )
}

const componentsOf = (name: string, dimension: Dimension): readonly string[] =>
  axesOf(dimension).map((axis) => `${name}_${axis}`)

/**
 * The shortest array counts the points, unless its components are read. If all are vectors, mapping them number by number
 * gives the same.
 */
function countWithoutPositions(
  arrays: Readonly<Record<string, FloatArray>>,
  isVector: (name: string) => boolean,
  dimension: Dimension,
): number {
  const counts = Object.entries(arrays).map(([name, { length }]) => length / (isVector(name) ? dimension : 1))
  return Math.floor(Math.min(...counts))
}
