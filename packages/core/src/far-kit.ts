/**
 * What backends share for far sources: proxies of trees, settings that meet a tolerance, and the lines of grids. This is the entry
 * `@manybody/core/far`. It is apart from `@manybody/core/near`, because a page without a tolerance loads none of it.
 *
 * @module
 */

export { lineOf } from './methods/mesh/grid/fft.ts'
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
