/**
 * Near sources, and the stand-ins for far ones: blocks of points, their trees and walks, and the proxies of far sources. This is the entry
 * `@manybody/core/near`, for backends and for programs that approximate sums within a tick.
 *
 * @module
 */

export { lineOf } from './methods/mesh/grid/fft.ts'
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
} from './methods/ranges/block-tree.ts'
export { nearLengths, nearShareOf, nearTried, nearTries } from './methods/ranges/near-share.ts'
export {
  type ReachOptions,
  type ReachRule,
  reachLine,
  reachOf,
  reachTerms,
  surelyWithin,
} from './methods/ranges/reach.ts'
export { edgePower, fieldPower, least2, leastReach, widest2 } from './methods/tolerance/fields.ts'
export { findSetting, type KnownSettings, type Tried } from './methods/tolerance/find-setting.ts'
export { flatGrid, gridAxis } from './methods/tolerance/grid.ts'
export { nameOf as nameOfSetting } from './methods/tolerance/ladder.ts'
export { sampled } from './methods/tolerance/sampled.ts'
export { simplexCorners, simplexFlat } from './methods/tolerance/simplex.ts'
export { requireTrees } from './methods/tolerance/stage-tree.ts'
export { judged, reported, type TargetErrors, unmeasured } from './methods/tolerance/target-errors.ts'
export type { Weighted } from './methods/tolerance/weighted.ts'
export { weightsOf } from './methods/tolerance/weighted-points.ts'
export type { SourceWeight, TreeFacts } from './problem/workloads/tree-facts.ts'
