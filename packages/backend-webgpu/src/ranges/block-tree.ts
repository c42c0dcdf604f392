/**
 * Where the boxes of blocks are, and of the nodes above them: a complete tree of fixed fan-out over the blocks in their order,
 * level by level from the blocks up, so that a node and its children are found by arithmetic.
 *
 * A block is what it is to `@manybody/core`: some consecutive places of the order.
 *
 * @module
 */
import { blockCount } from '@manybody/core/backend'

/** Children of a node. */
export const fanOut = 32
/** The highest level has no more nodes, and a walk begins with all of them. */
const mostRoots = 256

/** Vectors of a box, its two corners. */
export const boxVectors = 2

/** Nodes of each level over a number of points, the blocks first. */
export function levelsOf(points: number): readonly number[] {
  const levels = [blockCount(points)]
  for (let top = levels[0] ?? 0; top > mostRoots; levels.push(top)) top = Math.ceil(top / fanOut)
  return levels
}

/** Nodes of all levels. */
export const nodesOf = (points: number): number => levelsOf(points).reduce((a, b) => a + b)
