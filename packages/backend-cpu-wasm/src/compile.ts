/**
 * Compiles workloads ahead of time into plain data, so that a page can run them without a compiler. It is a separate entry.
 *
 * @module
 */
export { type AheadOptions, compileCpu } from './compile/designs/compile-ahead.ts'
export { compileAtOnce } from './compile/designs/compile-at-once.ts'
export type { CompiledAtOnce } from './design/at-once.ts'
export type { CompiledCpu } from './design/compiled.ts'
