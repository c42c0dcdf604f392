/**
 * Points for trials of programs: by time, or against each other. This is the entry `@manybody/core/samples`.
 *
 * @module
 */
export { sampleBindings } from './contract/tuning/sample-bindings.ts'
