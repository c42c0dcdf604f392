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
  blockTree,
  deepest,
  leastShare,
  nodeBytes,
  nodeCount,
  nodeLinks,
  treeBytes,
} from './ranges/block-tree.ts'
export { fitBoxes } from './ranges/boxes.ts'
export { type CutoffRule, walkWithin } from './ranges/cutoff-walk.ts'
export { nearLengths, nearShare, nearShareOf, nearTried, nearTries } from './ranges/near-share.ts'
export { walkNearest } from './ranges/nearest-walk.ts'
export { walkOpening } from './ranges/opening-walk.ts'
export { orderPoints, type Points } from './ranges/order.ts'
export {
  largestOf,
  type ReachOptions,
  type ReachRule,
  reachLine,
  reachOf,
  reachTerms,
  surelyWithin,
} from './ranges/reach.ts'
export { eachField, eachReach, edgePower, fieldPower, unitOf, widest2 } from './tolerance/fields.ts'
export { flatGrid, gridAxis, gridScheme } from './tolerance/grid.ts'
export { proxiesOf, weightCentres } from './tolerance/proxies.ts'
export { groupsIn, simplexCorners, simplexFlat, simplexScheme } from './tolerance/simplex.ts'
export type { SourceWeight } from './tolerance/source-weights.ts'
export { requireTrees } from './tolerance/stage-tree.ts'
export type { Weighted } from './tolerance/weighted.ts'
export { weightsOf } from './tolerance/weighted-points.ts'
