/**
 * What is near, and what stands for it when it is far: blocks of points, their trees and walks, and the proxies of far sources. This
 * is the entry `@manybody/core/near`, for backends and for those that approximate sums within a tick.
 *
 * @module
 */

export {
  type BlockTree,
  blockCount,
  blockPoints,
  deepest,
  leastShare,
  nodeBytes,
  nodeCount,
  nodeLinks,
  treeBytes,
} from './ranges/block-tree.ts'
export { nearLengths, nearShareOf, nearTried, nearTries } from './ranges/near-share.ts'
export { type ReachOptions, type ReachRule, reachLine, reachOf, reachTerms, surelyWithin } from './ranges/reach.ts'
export { eachField, eachReach, edgePower, fieldPower, unitOf, widest2 } from './tolerance/fields.ts'
export { flatGrid, gridAxis } from './tolerance/grid.ts'
export { simplexCorners, simplexFlat } from './tolerance/simplex.ts'
export type { SourceWeight } from './tolerance/source-weights.ts'
export { requireTrees } from './tolerance/stage-tree.ts'
export type { Weighted } from './tolerance/weighted.ts'
export { weightsOf } from './tolerance/weighted-points.ts'
