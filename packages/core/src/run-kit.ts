/**
 * The engine without the language of laws, for pages that only run workloads compiled ahead. This is the entry `@manybody/core/run`;
 * all other parts of a run load on demand.
 *
 * @module
 */

export type { Backend, Device, Program } from './contract/backend.ts'
export { createEngine, type Engine, type EngineOptions } from './engine/engine.ts'
export type { EngineRunOptions, RunReport, RunResult } from './engine/run-types.ts'
export type { Verification } from './engine/verification.ts'
export {
  BackendUnavailableError,
  DeviceLostError,
  NoBackendError,
  ProgramCompilationError,
  UnsupportedWorkloadError,
} from './ground/errors.ts'
export type { Precision } from './ground/precision.ts'
export type { Selection, Verdict } from './ground/selection.ts'
export type { Compiled, CompiledWorkload } from './problem/workloads/compiled.ts'
export type { Workload } from './problem/workloads/workload.ts'
export { reference } from './truth/reference/backend.ts'
