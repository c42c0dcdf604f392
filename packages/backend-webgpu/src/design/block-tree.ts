/**
 * The layout of the boxes of blocks and of the nodes above them: a complete tree with a fixed fan-out over the blocks in their
 * order. It is stored level by level, starting with the blocks, so that arithmetic finds a node and its children.
 *
 * As in `@manybody/core`, a block is a number of consecutive places of the order.
 *
 * @module
 */
import { blockCount } from '@manybody/core/backend'
import type { KnownDispatch } from './design.ts'
import { alongZ } from './spread.ts'

/** Number of children of a node. */
export const fanOut = 32
/** A workgroup computes the parents of this many nodes, one node per invocation: a multiple of the fan-out. */
export const childrenPerGroup = 128
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

/** The dispatches that fit the levels above the blocks, the lowest first. @param boxes where the boxes start in `packed` */
export function levelDispatches(points: number, boxes: number): readonly KnownDispatch[] {
  const levels = levelsOf(points)
  let childFirst = 0
  return levels.slice(1).map((_, n) => {
    const children = levels[n] as number
    const values = { boxes, children, childFirst, nodeFirst: childFirst + children }
    childFirst += children
    return { shader: 'level', values, size: alongZ(Math.ceil(children / childrenPerGroup)) }
  })
}
