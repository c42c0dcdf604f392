/**
 * Compiles workloads ahead of time into plain data, so that a page can run them without a compiler. It is a separate entry.
 *
 * @module
 */
export { type AheadOptions, compileWebGl } from './compile/designs/compile-ahead.ts'
export type { CompiledWebGl } from './design/compiled.ts'
