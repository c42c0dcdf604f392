/**
 * The tools for writing a backend, and for judging one: checked bindings, the bodies of loops as scheduled expressions, the
 * true results and the distance from them. This is the entry `@manybody/core/backend`; the contract is in `backend.ts`.
 *
 * Some of these tools are also exported by `@manybody/core`. Pages that load no engine import them from here, because a bundler would
 * pull in the engine with that entry.
 *
 * @module
 */

export { accumulationIn, type Filled, refilled, reportAfter, reportOf } from './contract/fill-report.ts'
export type { GridPoints, GridStage, GridSum, GridTerm, GridWindow } from './contract/grid-sum.ts'
export { type Learned, learnedOf } from './contract/tuning/learned.ts'
export { createTuner, type Effort, type Tuner, tuningKey } from './contract/tuning/tuning.ts'
export { requireSupport } from './engine/require-support.ts'
export { added } from './ground/arrays/added.ts'
export { type Axis, axes, axesOf } from './ground/axes.ts'
export {
  describe,
  finite,
  firstNotFinite,
  flag,
  listOf,
  oneOf,
  onlyNamed,
  positive,
  unexpected,
  whole,
} from './ground/checks.ts'
export {
  BackendUnavailableError,
  DeviceLostError,
  ProgramCompilationError,
  UnsupportedWorkloadError,
} from './ground/errors.ts'
export { lowAxisOf } from './ground/names.ts'
export { onFirstUse } from './ground/on-first-use.ts'
// The language exports these, too, but runtimes must not load the language.
export {
  type FormulaTape,
  type NamedTape,
  play,
  playNamed,
  type TapeOperation,
  type TapeStep,
} from './language/tape.ts'
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
export { lengthOf, type RunRanges, runRanges } from './methods/ranges/run-ranges.ts'
export { pairsIn, rangesWithin } from './methods/ranges/source-ranges.ts'
export {
  Guarded,
  guardBy,
  guardsOf,
  held,
  inertiaUnitOf,
  lawFact,
  lengthsOf,
  listsFrom,
  mapArrays,
  movedTogether,
  nonzeroIn,
  numbersAt,
  requireBufferLength,
  resultArrays,
  shapeOfBindings,
  workPerPair,
} from './problem/loaded-at-once.ts'
export type { Guard, GuardRule } from './problem/workloads/bodies/guard.ts'
export { compiledFor, requireFiledLoop } from './problem/workloads/compiled.ts'
export { isTilted, repeatOf, requireBox } from './problem/workloads/domain.ts'
export { boxesIn, parametersOf, sameParameters } from './problem/workloads/parameters.ts'
export { isSizeOfKind } from './problem/workloads/rooms-of-kinds.ts'
export { reachesVary, usualCutoff, usualReach } from './problem/workloads/usual-cutoff.ts'
export { makesLists, preparedOn, requireFixedLength } from './truth/lists/prepared-on.ts'
