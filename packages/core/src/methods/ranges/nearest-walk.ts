/**
 * The walk to the nearest sources: visits the nearer child of each node first, and leaves out nodes that are farther than
 * everything that the targets keep.
 *
 * Blocks do not come in the order of places. The sources that a target keeps get nearer during the walk, so the walk asks for
 * the reach at each node.
 *
 * @module
 */
import { type BlockTree, boxStride, firstAt, lastAt, linkStride, skipAt } from './block-tree.ts'
import type { Take } from './cutoff-walk.ts'
import { apartBy, type Space } from './space.ts'

/** Passes each block that may contain a source within reach to `take`, near blocks first. */
export function walkNearest(
  { boxes, links }: BlockTree,
  target: Float64Array,
  space: Space,
  reach: () => number,
  take: Take,
): void {
  if (boxes.length === 0) return
  const gapTo = (node: number) => apartBy(boxes, node * boxStride, target, space).gap2
  const waiting: (readonly [node: number, gap2: number])[] = [[0, 0]]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [node, gap2] = next
    const link = node * linkStride
    // The gap to a box that is not finite is NaN, so such a box is never left out.
    if (gap2 > reach() ** 2) continue
    if (links[link + skipAt] === node + 1) {
      take(links[link + firstAt] as number, links[link + lastAt] as number)
      continue
    }
    const [left, right] = [node + 1, links[link + linkStride + skipAt] as number]
    const [toLeft, toRight] = [gapTo(left), gapTo(right)]
    const both = [[left, toLeft] as const, [right, toRight] as const]
    waiting.push(...(toLeft <= toRight ? both.reverse() : both))
  }
}
