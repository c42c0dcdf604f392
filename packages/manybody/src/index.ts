/**
 * The one import: everything of `@manybody/core`, and an engine that knows our backends.
 *
 * @module
 */
export * from '@manybody/core'
export { backends } from './backends.ts'
export { type CreateEngineOptions, createEngine } from './create-engine.ts'
