/**
 * Shapes that users write, for programs that are prepared before there is data.
 *
 * @module
 */
import {
  dimensionOf,
  gridShape,
  lawFact,
  listOf,
  nameOf,
  onlyNamed,
  unexpected,
  whole,
} from '../problem/loaded-at-once.ts'
import type { Lengths } from '../problem/workloads/vector-sets.ts'
import type { Dimension, Shape, Workload } from '../problem/workloads/workload.ts'

/**
 * One set of points, or two; 3-D by default. A grid needs no shape.
 *
 * `vectors` names the attributes of a map that have one number per component: `['position', 'velocity']`.
 *
 * `lengths` has the number of components of each attribute that a law of pairs reads as a vector: `{ x: 10, y: 10 }`.
 */
export type PreparedShape =
  | {
      readonly count: number
      readonly dimension?: Dimension
      readonly vectors?: readonly string[]
      readonly lengths?: Lengths
    }
  | { readonly targets: number; readonly sources: number; readonly dimension?: Dimension; readonly lengths?: Lengths }

/** The full shape. @throws TypeError, RangeError */
export function shapeOf(workload: Workload, given: PreparedShape | undefined): Shape {
  if (workload.loop === 'grid') return gridShape(workload.grid)
  if (typeof given !== 'object' || given === null || !('count' in given || 'targets' in given))
    throw unexpected('shape', '{ count } or { targets, sources }', given)
  const dimension = dimensionOf(given.dimension, '')
  if ('count' in given) {
    const names = ['count', 'dimension', 'vectors', 'lengths']
    const { vectors = ['position'] } = onlyNamed(given, 'name of a shape', names)
    listOf(vectors, 'vectors', 'names of arrays')
    for (const name of vectors) nameOf(name, 'vectors')
    const count = whole(given.count, 'count', 0)
    const sources = workload.loop === 'pair' ? count : 0
    return withLengths(workload, { dimension, targets: count, sources, sameSet: true, vectors }, given.lengths)
  }
  onlyNamed(given, 'name of a shape', ['targets', 'sources', 'dimension', 'lengths'])
  const [targets, sources] = [whole(given.targets, 'targets', 0), whole(given.sources, 'sources', 0)]
  return withLengths(workload, { dimension, targets, sources, sameSet: false, vectors: ['position'] }, given.lengths)
}

/** The shape with the lengths of the vectors that a law reads. @throws TypeError, RangeError */
export function withLengths(workload: Workload, shape: Shape, given: Lengths | undefined): Shape {
  const facts = lawFact('vectors', workload, shape)
  if (!facts && given === undefined) return shape
  const parameters = workload.loop === 'pair' ? (workload.law.vectors ?? {}) : {}
  const groups = facts?.groups.map((group) => group.filter((name) => !Object.hasOwn(parameters, name))) ?? []
  const names = groups.flat()
  const all = onlyNamed(given ?? {}, 'vector of the law', names)
  const lengths = Object.fromEntries(names.map((name) => [name, whole(all[name], `lengths.${name}`, 1)]))
  for (const [first = '', ...others] of groups)
    for (const other of others)
      if (lengths[other] !== lengths[first])
        throw new RangeError(`"lengths.${other}" expected ${lengths[first]}, as ${first} has, got ${lengths[other]}`)
  return { ...shape, vectors: facts?.placed ? ['position'] : [], lengths }
}
