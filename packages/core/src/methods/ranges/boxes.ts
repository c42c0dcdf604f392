/**
 * Boxes around blocks and around the nodes above them, fitted to the positions of a call whatever the age of the order.
 *
 * A box is its centre and half its edges. In a periodic box the points of a block are counted from the first one's nearest images,
 * and a node's children from the first child's. So a block across a face stays small, and each point has an image in the box of its
 * block.
 *
 * @module
 */
import { type BlockTree, blockPoints, boxStride, firstAt, lastAt, linkStride, skipAt } from './block-tree.ts'
import type { Points } from './order.ts'

/** Halves are rounded up by more than their subtraction may have rounded them down. */
const up = 1 + 2 ** -50

/** Fits all boxes. */
export function fitBoxes({ position, dimension, lengths }: Points, { order, boxes, links, blocks }: BlockTree): void {
  for (let node = boxes.length / boxStride - 1; node >= 0; node--) {
    const [box, link] = [node * boxStride, node * linkStride]
    const [first, last] = [links[link + firstAt] as number, links[link + lastAt] as number]
    const second = (links[link + linkStride + skipAt] ?? 0) * boxStride
    const leaf = links[link + skipAt] === node + 1
    for (let axis = 0; axis < dimension; axis++) {
      const length = lengths[axis] ?? 0
      const share = length && 1 / length
      let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
      if (leaf) {
        const origin = position[(order[first] as number) * dimension + axis] as number
        for (let place = first; place < last; place++) {
          const x = position[(order[place] as number) * dimension + axis] as number
          const near = length ? x - length * Math.round((x - origin) * share) : x
          // A number that is not finite makes the box so, and it is then never left out.
          low = Math.min(low, near)
          high = Math.max(high, near)
        }
      } else {
        const [a, b] = [box + boxStride + axis, second + axis]
        const here = boxes[a] as number
        const other = boxes[b] as number
        const there = length ? other - length * Math.round((other - here) * share) : other
        const [halfHere, halfThere] = [boxes[a + 3] as number, boxes[b + 3] as number]
        low = Math.min(here - halfHere, there - halfThere)
        high = Math.max(here + halfHere, there + halfThere)
      }
      const centre = low + (high - low) / 2
      boxes[box + axis] = centre
      boxes[box + 3 + axis] = Math.max(high - centre, centre - low) * up
    }
    if (leaf) blocks.set(boxes.subarray(box, box + 6), (first / blockPoints) * boxStride)
  }
}
