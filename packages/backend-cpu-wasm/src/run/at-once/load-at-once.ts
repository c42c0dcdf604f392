/**
 * Compiles a design at once, for callers that cannot wait. Browsers allow that for modules of up to 8 MB; these have some
 * kilobytes.
 *
 * @module
 */
import type { ProgramDesign } from '../../design/design.ts'
import type { Memory } from '../host/memory.ts'
import type { LoadedProgram } from '../placement/loaded-program.ts'
import { failed, phasesOf } from '../programs/load.ts'

/** A program that may be given to workers later. */
export interface LoadedAtOnce extends LoadedProgram {
  readonly module: WebAssembly.Module
  id: number
}

/** @throws {@link ProgramCompilationError} */
export function loadAtOnce(design: ProgramDesign, memory: Memory): LoadedAtOnce {
  const start = performance.now()
  try {
    const module = new WebAssembly.Module(design.module)
    const instance = new WebAssembly.Instance(module, { env: { memory: memory.memory } })
    const phases = phasesOf(design, instance)
    const names = Object.keys(instance.exports)
    return { design, phases, names, module, id: 0, milliseconds: performance.now() - start, choosers: [] }
  } catch (cause) {
    throw failed(design, cause)
  }
}
