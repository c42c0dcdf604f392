/**
 * The place of a point inside a periodic box, in WGSL, as a grid of cells over the box needs it.
 *
 * @module
 */
import { axesOf } from '@manybody/core/backend'
import type { BoxSpace } from '../../design/space.ts'
import { notFinite } from './boxes.ts'
import { insideOf, vectorOf } from './space.ts'

/** The place of a point inside the box. A point far outside loses digits when it is moved, and is moved again. */
export const insideBox = (space: BoxSpace, x: string): string => insideOf(space).of(insideOf(space).of(x))

/** Whether a place has no cell: it is not finite, or so far away that moving it has not brought it near the box. */
export function withoutCell(space: BoxSpace, inside: string): string {
  const lengths = `${vectorOf(space).type}(${axesOf(space.dimension)
    .map((axis) => `run.length_${axis}`)
    .join(', ')})`
  return `(${notFinite(space, inside)} || any(abs(${inside} - 0.5 * ${lengths}) > 0.75 * ${lengths}))`
}
