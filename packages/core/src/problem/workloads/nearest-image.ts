/**
 * The image that links and excluded pairs take. A triclinic box is left along its last vector first, so the image is the nearest one up to
 * half the least of its extents along the axes.
 *
 * @module
 */
import { backIn } from './cell.ts'
import { type Boundary, repeatOf } from './domain.ts'
import { boxesIn } from './parameters.ts'

/** The vector of a box along each axis, up to its own component; undefined along axes that do not repeat. */
export type ImageVectors = readonly (readonly number[] | undefined)[]

export function imageVectorsOf(boundary: Boundary, dimension: number): ImageVectors {
  const [xy = 0, xz = 0, yz = 0] = (boundary.kind === 'periodic' && boundary.tilts) || []
  const tilts = [[], [xy], [xz, yz]]
  return Array.from({ length: dimension }, (_, axis) => {
    const length = repeatOf(boundary, axis)
    return length === undefined ? undefined : [...(tilts[axis] as number[]), length]
  })
}

/** Those of a run, by its numbers. */
export function imageVectorsIn(parameters: Readonly<Record<string, number>>, dimension: number): ImageVectors {
  const [lengths, back] = [boxesIn(parameters), backIn(parameters)]
  return Array.from({ length: dimension }, (_, axis) => {
    const length = lengths[axis]
    if (!length) return undefined
    return Array.from({ length: axis + 1 }, (_, row) => length * (back?.[row]?.[axis] ?? (row === axis ? 1 : 0)))
  })
}

/** Turns a displacement into that of the image, in place. */
export function toImage(d: Float64Array | number[], vectors: ImageVectors): void {
  for (let axis = d.length - 1; axis >= 0; axis--) {
    const vector = vectors[axis]
    if (!vector) continue
    const images = Math.round((d[axis] as number) / (vector[axis] as number))
    for (let n = 0; n <= axis; n++) d[n] = (d[n] as number) - images * (vector[n] as number)
  }
}
