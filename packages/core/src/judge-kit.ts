/**
 * The tools for judging a backend: the true results, the distance from them, and the test problems that compare devices. This is
 * the entry `@manybody/core/judge`.
 *
 * @module
 */

export { disproof } from './engine/devices/proof.ts'
export { rowsWithin } from './engine/rows-within.ts'
export { withLengths } from './engine/shape.ts'
export { type Truth, truthOf } from './engine/truth.ts'
export { accuracyOn, functionAccuracy, largestError, type OperationName } from './language/function-accuracy.ts'
export type { Accuracy, AccuracyRange } from './language/functions/errors.ts'
export { prepareRanged } from './methods/ranges/each-range.ts'
export { type BlockRanges, withRanges } from './methods/ranges/given-ranges.ts'
export { listAt, listsIn, listsTogether } from './problem/reductions/lists.ts'
export { reduceOperations } from './problem/reductions/table.ts'
export type { Bound } from './problem/workloads/bind.ts'
export { bind } from './problem/workloads/bind-given.ts'
export { exclusionsOf } from './problem/workloads/exclusions.ts'
export { workloadOf } from './problem/workloads/from-data.ts'
export { deviceNumbers } from './problem/workloads/numbers/device-numbers.ts'
export { joinedTables, tableParameters, tablesLength } from './problem/workloads/tables/layout.ts'
export { type ErrorNorms, errorBound, errorNorms, steepFloor } from './truth/error-analysis/error-norms.ts'
export { combine } from './truth/folds/combine.ts'
