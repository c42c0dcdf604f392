/**
 * Shapes that users write, for programs that are prepared before there is data.
 *
 * @module
 */
import { listOf, onlyNamed, unexpected, whole } from '../ground/checks.ts'
import { nameOf } from '../ground/names.ts'
import { gridShape } from '../problem/workloads/grid-shape.ts'
import { dimensionOf } from '../problem/workloads/particles.ts'
import type { Dimension, Shape, Workload } from '../problem/workloads/workload.ts'

/**
 * One set of points, or two; 3-D by default. A grid needs no shape.
 *
 * `vectors` names the attributes of a map that have one number per component: `['position', 'velocity']`.
 */
export type PreparedShape =
  | { readonly count: number; readonly dimension?: Dimension; readonly vectors?: readonly string[] }
  | { readonly targets: number; readonly sources: number; readonly dimension?: Dimension }

/** The full shape. @throws TypeError, RangeError */
export function shapeOf(workload: Workload, given: PreparedShape | undefined): Shape {
  if (workload.loop === 'grid') return gridShape(workload.grid)
  if (typeof given !== 'object' || given === null || !('count' in given || 'targets' in given))
    throw unexpected('shape', '{ count } or { targets, sources }', given)
  const dimension = dimensionOf(given.dimension, '')
  if ('count' in given) {
    const { vectors = ['position'] } = onlyNamed(given, 'name of a shape', ['count', 'dimension', 'vectors'])
    listOf(vectors, 'vectors', 'names of arrays')
    for (const name of vectors) nameOf(name, 'vectors')
    const count = whole(given.count, 'count', 0)
    const sources = workload.loop === 'pair' ? count : 0
    return { dimension, targets: count, sources, sameSet: true, vectors }
  }
  onlyNamed(given, 'name of a shape', ['targets', 'sources', 'dimension'])
  const [targets, sources] = [whole(given.targets, 'targets', 0), whole(given.sources, 'sources', 0)]
  return { dimension, targets, sources, sameSet: false, vectors: ['position'] }
}
