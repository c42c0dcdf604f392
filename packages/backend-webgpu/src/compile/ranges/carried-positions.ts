/**
 * The positions of the last rebuild of Verlet lists, which a stage carries, in WGSL.
 *
 * @module
 */
import { axesOf } from '@manybody/core/backend'
import type { BoxSpace } from '../../design/space.ts'
import { carriedAt } from '../../design/verlet-layout.ts'
import { wgsl } from '../../design/wgsl.ts'
import { pointAt } from './cell-sort.ts'
import { vectorOf } from './space.ts'

/** The carried position of a point. */
export const carriedPosition = (space: BoxSpace, p: string): string =>
  `${vectorOf(space).type}(${axesOf(space.dimension)
    .map((_, axis) => carriedAt(space.dimension, p, axis))
    .join(', ')})`

/** Declares the position `x` of point `p`: the carried one if it `holds`, else the one of now, which is then carried. */
export const carriedOrNow = (set: string, space: BoxSpace): string => wgsl`${pointAt(set, space, 'now')}
let x = select(now, ${carriedPosition(space, 'p')}, holds);
${axesOf(space.dimension).map((axis, n) => `${carriedAt(space.dimension, 'p', n)} = x.${axis};`)}`
