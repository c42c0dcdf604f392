/**
 * Compiles workloads at build time: `manybody/compile`. What it returns is data that any engine runs in place of the workload, without
 * loading a compiler.
 *
 * @module
 */
export type { CompiledWorkload } from '@manybody/core'
export { type CompiledBackend, type CompileOptions, compile } from './compile.ts'
