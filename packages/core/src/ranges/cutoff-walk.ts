/**
 * The walk for a cutoff: all blocks of sources within reach of a box of targets, in the order of their places.
 *
 * @module
 */
import { type BlockTree, boxStride, firstAt, lastAt, linkStride, skipAt } from './block-tree.ts'

export interface CutoffRule {
  readonly reach: number
  readonly dimension: number
  /** Lengths of a periodic box; none in open space. */
  readonly lengths: readonly number[]
}

/** Hands out places `first ... last - 1` of each block that a pair within reach may have its source in. */
export function walkWithin(
  { boxes, links }: BlockTree,
  target: Float64Array,
  { reach, dimension, lengths }: CutoffRule,
  take: (first: number, last: number) => void,
): void {
  const reach2 = reach * reach
  const count = boxes.length / boxStride
  for (let node = 0; node < count; ) {
    const [box, link] = [node * boxStride, node * linkStride]
    let gap2 = 0
    for (let axis = 0; axis < dimension; axis++) {
      const length = lengths[axis] ?? 0
      const apart = (boxes[box + axis] as number) - (target[axis] as number)
      const nearest = apart - length * Math.round(apart * (length && 1 / length))
      const gap = Math.abs(nearest) - (boxes[box + 3 + axis] as number) - (target[3 + axis] as number)
      gap2 += Math.max(0, gap) ** 2
    }
    const skip = links[link + skipAt] as number
    // Boxes of numbers that are not finite have no gap, and are not left out.
    const beyond = gap2 > reach2
    if (!beyond && skip === node + 1) take(links[link + firstAt] as number, links[link + lastAt] as number)
    node = beyond ? skip : node + 1
  }
}
