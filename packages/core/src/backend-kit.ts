/**
 * The tools for writing a backend, and for judging one: checked bindings, the bodies of loops as scheduled expressions, the
 * true results and the distance from them. This is the entry `@manybody/core/backend`; the contract is in `backend.ts`.
 *
 * What `@manybody/core` has, too, is here for those whose pages load no engine: bundlers would load one with that entry.
 *
 * @module
 */

export { added } from './arrays/added.ts'
export { requireBufferLength } from './arrays/buffer-length.ts'
export { type Axis, axes, axesOf } from './axes.ts'
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
} from './checks.ts'
export { requireSupport } from './engine/require-support.ts'
export {
  BackendUnavailableError,
  DeviceLostError,
  ProgramCompilationError,
  UnsupportedWorkloadError,
} from './errors.ts'
// The language has it, too, but runtimes must not load that.
export { evaluate, evaluator } from './expression/evaluate.ts'
export { accumulationIn, reportAfter, reportOf } from './fill-report.ts'
export { held } from './held.ts'
export { makesLists, preparedOn, requireFixedLength } from './lists/prepared-on.ts'
export { lengthOf, type RunRanges, runRanges } from './ranges/run-ranges.ts'
export { pairsIn, rangesWithin } from './ranges/source-ranges.ts'
export { lengthsOf, listsFrom } from './reductions/lists.ts'
export { type Learned, learnedOf } from './tuning/learned.ts'
export { sampleBindings } from './tuning/sample-bindings.ts'
export { createTuner, type Effort, type Tuner, tuningKey } from './tuning/tuning.ts'
export { type Guard, type GuardRule, guardBy } from './workloads/bodies/guard.ts'
export { Guarded } from './workloads/bodies/guarded.ts'
export { mapArrays } from './workloads/bodies/load-place.ts'
export { resultArrays } from './workloads/bodies/result-arrays.ts'
export { compiledFor } from './workloads/compiled.ts'
export { requireBox } from './workloads/domain.ts'
export { lawFact } from './workloads/law-facts.ts'
export { inertiaUnitOf } from './workloads/numbers/inertia-unit.ts'
export { lowAxisOf } from './workloads/numbers/split.ts'
export { parametersOf, sameParameters } from './workloads/parameters.ts'
