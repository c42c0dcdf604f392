/**
 * Runs workloads that `manybody/compile` has compiled: an engine with our backends, and no compiler.
 *
 * @module
 */
export * from '@manybody/core/run'
export { backends } from '../backends.ts'
export { type CreateEngineOptions, createEngine } from '../create-engine.ts'
