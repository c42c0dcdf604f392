// Points in trees of boxes, as tests of walks need them.

import { type BlockTree, blockTree } from '../../src/methods/ranges/block-tree.ts'
import { fitBoxes } from '../../src/methods/ranges/boxes.ts'
import { orderPoints, type Points } from '../../src/methods/ranges/order.ts'
import { random as randomOf } from './random.ts'

/** Numbers from 0 to 1. */
export function uniform(length: number, seed: number): Float64Array {
  const random = randomOf(seed)
  return Float64Array.from({ length }, () => random())
}

/** The tree over points, in their own order or in the given one. */
export function treeOf(points: Points, order?: readonly number[]): BlockTree {
  const tree = blockTree(points.position.length / points.dimension)
  orderPoints(points, tree)
  if (order) tree.order.set(order)
  fitBoxes(points, tree)
  return tree
}
