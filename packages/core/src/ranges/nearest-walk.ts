/**
 * The walk for what is nearest: from each node to its nearer child first, leaving out whatever is farther than all that the
 * targets still keep.
 *
 * Blocks come in no order of places. What a target keeps gets nearer during the walk, so the reach is asked for again and
 * again.
 *
 * @module
 */
import { type BlockTree, boxStride, firstAt, lastAt, linkStride, skipAt } from './block-tree.ts'
import type { Take } from './cutoff-walk.ts'
import { apartBy, type Space } from './space.ts'

/** Hands out each block that a pair within reach may have its source in, near ones first. */
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
    // Boxes of numbers that are not finite have no gap, and are not left out.
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
