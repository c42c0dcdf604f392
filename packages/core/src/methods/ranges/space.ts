/**
 * The least and the greatest distance between points of two boxes, in open space and in a periodic box.
 *
 * @module
 */

/** The space of the points: its dimension, and its periodic box if it has one. */
export interface Space {
  readonly dimension: number
  /** Lengths of a periodic box; 0 or none along an axis that does not repeat. */
  readonly lengths: readonly number[]
}

/** The squares of the least and the greatest distance between a point of one box and a point of the other. */
export function apartBy(
  boxes: Float64Array,
  box: number,
  target: Float64Array,
  { dimension, lengths }: Space,
): { readonly gap2: number; readonly far2: number } {
  let [gap2, far2] = [0, 0]
  for (let axis = 0; axis < dimension; axis++) {
    const length = lengths[axis] ?? 0
    const apart = (boxes[box + axis] as number) - (target[axis] as number)
    const nearest = Math.abs(apart - length * Math.round(apart * (length && 1 / length)))
    const half = (boxes[box + 3 + axis] as number) + (target[3 + axis] as number)
    gap2 += Math.max(0, nearest - half) ** 2
    far2 += (nearest + half) ** 2
  }
  return { gap2, far2 }
}
