/**
 * Compiles a design at once, for callers that cannot wait. Browsers allow that for modules of up to 8 MB; ours have some
 * kilobytes.
 *
 * @module
 */
import type { ProgramDesign } from '../../design/design.ts'
import type { Memory } from '../host/memory.ts'
import type { LoadedProgram } from '../placement/loaded-program.ts'
import { failed, phasesOf } from '../programs/compile.ts'
import type { SharedPool } from '../threads/pool.ts'
import { ThreadChooser } from '../threads/thread-chooser.ts'

/**
 * @param pool also gets the module, if the memory is shared
 * @throws {@link ProgramCompilationError}
 */
export function loadAtOnce(design: ProgramDesign, memory: Memory, pool: SharedPool | undefined): LoadedProgram {
  const start = performance.now()
  try {
    const module = new WebAssembly.Module(design.module)
    const phases = phasesOf(design, new WebAssembly.Instance(module, { env: { memory: memory.memory } }))
    const id = pool?.add({ module, over: memory }, phases) ?? 0
    const choosers = phases.map(() => new ThreadChooser())
    return { design, phases, id, milliseconds: performance.now() - start, choosers }
  } catch (cause) {
    throw failed(design, cause)
  }
}
