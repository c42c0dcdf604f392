/**
 * The tools for judging a backend: the true results, the distance from them, and the problems on which devices are compared. This is
 * the entry `@manybody/core/judge`.
 *
 * @module
 */

export { disproof } from './engine/devices/proof.ts'
export { rowsWithin } from './engine/rows-within.ts'
export { type Truth, truthOf } from './engine/truth.ts'
export { type ErrorNorms, errorBound, errorNorms, steepFloor } from './error-analysis/error-norms.ts'
export { combine } from './folds/combine.ts'
export { prepareRanged } from './ranges/each-range.ts'
export { type BlockRanges, withRanges } from './ranges/given-ranges.ts'
export { listAt, listsIn, listsTogether } from './reductions/lists.ts'
export { reduceOperations } from './reductions/table.ts'
export { nameOf as nameOfSetting } from './tolerance/ladder.ts'
export { type KnownSettings, meet, type Tried } from './tolerance/meet.ts'
export { sampled } from './tolerance/sampled.ts'
export { judged, reported, type TargetErrors, unmeasured } from './tolerance/target-errors.ts'
export type { Bound } from './workloads/bind.ts'
export { bind } from './workloads/bind-given.ts'
export { exclusionsOf } from './workloads/exclusions.ts'
export { workloadOf } from './workloads/from-data.ts'
export { deviceNumbers } from './workloads/numbers/device-numbers.ts'
