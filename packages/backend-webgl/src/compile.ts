/**
 * Compiles workloads ahead of time: what a file needs so that a page runs them without a compiler. It is a separate entry.
 *
 * @module
 */
export { type AheadOptions, compileWebGl } from './compile/designs/compile-ahead.ts'
export type { CompiledWebGl } from './design/compiled.ts'
