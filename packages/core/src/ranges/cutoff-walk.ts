/**
 * The walk for a cutoff: all blocks of sources within reach of a box of targets, in the order of their places. Where pairs are
 * only counted, nodes that lie within the cutoff as a whole are handed out unopened.
 *
 * @module
 */
import { type BlockTree, boxStride, firstAt, lastAt, linkStride, skipAt } from './block-tree.ts'
import { apartBy, type Space } from './space.ts'

export interface CutoffRule extends Space {
  readonly reach: number
  /** Every pair up to this distance counts. Without it no node is handed out as a whole. */
  readonly within?: number
  /** A place whose node is opened in any case: the targets' own, if points do not count themselves. */
  readonly own?: number
}

/** What is done with places `first ... last - 1`. */
export type Take = (first: number, last: number) => void

/** Hands out each block that a pair within reach may have its source in; nodes within the cutoff go to `whole`. */
export function walkWithin(
  { boxes, links }: BlockTree,
  target: Float64Array,
  rule: CutoffRule,
  take: Take,
  whole: Take = take,
): void {
  const { reach, within = -1, own = -1 } = rule
  const count = boxes.length / boxStride
  for (let node = 0; node < count; ) {
    const link = node * linkStride
    const { gap2, far2 } = apartBy(boxes, node * boxStride, target, rule)
    const [first, last] = [links[link + firstAt] as number, links[link + lastAt] as number]
    const skip = links[link + skipAt] as number
    // Boxes of numbers that are not finite have no gap, and are not left out.
    const beyond = gap2 > reach * reach
    const inside = within >= 0 && far2 <= within * within && !(own >= first && own < last)
    if (inside) whole(first, last)
    else if (!beyond && skip === node + 1) take(first, last)
    node = beyond || inside ? skip : node + 1
  }
}
