/**
 * The walk for a cutoff: finds all blocks of sources within reach of a box of targets, in the order of their places. If pairs are
 * only counted, a node that is completely within the cutoff is passed on without being opened.
 *
 * @module
 */
import { type BlockTree, boxStride, firstAt, lastAt, linkStride, skipAt } from './block-tree.ts'
import { apartBy, type Space } from './space.ts'

export interface CutoffRule extends Space {
  readonly reach: number
  /** Every pair up to this distance counts. Without it, no node is passed on as a whole. */
  readonly within?: number
  /** A place; its node is always opened. The place of the targets, if points do not count themselves. */
  readonly own?: number
}

/** Receives the places `first ... last - 1`. */
export type Take = (first: number, last: number) => void

/** Passes each block that may contain a source within reach to `take`, and nodes within the cutoff to `whole`. */
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
    // The gap to a box that is not finite is NaN, so such a box is never left out.
    const beyond = gap2 > reach * reach
    const inside = within >= 0 && far2 <= within * within && !(own >= first && own < last)
    if (inside) whole(first, last)
    else if (!beyond && skip === node + 1) take(first, last)
    node = beyond || inside ? skip : node + 1
  }
}
