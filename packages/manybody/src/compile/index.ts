/**
 * Compiles workloads at build time: `manybody/compile`. The result is data. Any engine runs it in place of the workload, without loading a
 * compiler.
 *
 * @module
 */
export type { CompiledWorkload } from '@manybody/core'
export { type CompiledBackend, type CompileOptions, compile } from './compile.ts'
