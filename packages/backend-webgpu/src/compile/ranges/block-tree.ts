/**
 * The layout of the boxes of blocks and of the nodes above them: a complete tree with a fixed fan-out over the blocks in their
 * order. It is stored level by level, starting with the blocks, so that arithmetic finds a node and its children.
 *
 * As in `@manybody/core`, a block is a number of consecutive places of the order.
 *
 * @module
 */
import { blockCount } from '@manybody/core/near'

/** Number of children of a node. */
export const fanOut = 32
/** The most nodes of the highest level; a walk starts with all of them. */
const mostRoots = 256

/** Number of vectors of a box: its two corners. */
export const boxVectors = 2

/** Number of nodes in each level of the tree over `points` points; the first level is the blocks. */
export function levelsOf(points: number): readonly number[] {
  const levels = [blockCount(points)]
  for (let top = levels[0] ?? 0; top > mostRoots; levels.push(top)) top = Math.ceil(top / fanOut)
  return levels
}

/** Number of nodes in all levels. */
export const nodesOf = (points: number): number => levelsOf(points).reduce((a, b) => a + b)
