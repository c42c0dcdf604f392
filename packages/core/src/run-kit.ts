/**
 * The engine without the language of laws: for pages that only run what was compiled ahead. This is the entry `@manybody/core/run`;
 * whatever else a run needs loads on demand.
 *
 * @module
 */

export type { Backend, Device, Program } from './backend.ts'
export { createEngine, type Engine, type EngineOptions } from './engine/engine.ts'
export type { EngineRunOptions, RunReport, RunResult } from './engine/run-types.ts'
export type { Verification } from './engine/verification.ts'
export {
  BackendUnavailableError,
  DeviceLostError,
  NoBackendError,
  ProgramCompilationError,
  UnsupportedWorkloadError,
} from './errors.ts'
export type { Precision } from './precision.ts'
export { reference } from './reference/backend.ts'
export type { Selection, Verdict } from './selection.ts'
export type { Compiled, CompiledWorkload } from './workloads/compiled.ts'
export type { Workload } from './workloads/workload.ts'
