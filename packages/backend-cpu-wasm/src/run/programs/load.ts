/**
 * Compiles a design to a module, and adds it to the pool so that all threads have it.
 *
 * @module
 */
import { ProgramCompilationError } from '@manybody/core/backend'
import type { Memory } from '../host/memory.ts'
import type { LoadedDesign, LoadedProgram } from '../placement/loaded-program.ts'
import type { Phases } from '../threads/claims.ts'
import type { AnyPool } from '../threads/pools.ts'

/** Compiles a design and adds it to the pool. @throws {@link ProgramCompilationError} */
export async function load<Design extends LoadedDesign>(
  design: Design,
  memory: Memory,
  pool: AnyPool | undefined,
): Promise<LoadedProgram<Design>> {
  const start = performance.now()
  try {
    const module = await WebAssembly.compile(design.module)
    const instance = await WebAssembly.instantiate(module, { env: { memory: memory.memory } })
    const phases = phasesOf(design, instance)
    const id = pool?.add({ module, over: memory }, phases) ?? 0
    const choosers = pool?.choosersOf(phases) ?? []
    return {
      design,
      phases,
      names: Object.keys(instance.exports),
      id,
      milliseconds: performance.now() - start,
      choosers,
    }
  } catch (cause) {
    throw failed(design, cause)
  }
}

/** All functions of a module by number, with the phases among them. */
export function phasesOf({ phases }: LoadedDesign, { exports }: WebAssembly.Instance): Phases {
  const missing = phases.find(({ name }) => !Object.hasOwn(exports, name))
  if (missing) throw new Error(`the module has no phase ${missing.name}`)
  return Object.values(exports) as unknown as Phases
}

/** The engine refused a module. Its bytes are in the error, as base64, for tools that print them. */
export function failed({ module }: LoadedDesign, cause: unknown): ProgramCompilationError {
  const bytes = btoa(Array.from(module, (byte) => String.fromCharCode(byte)).join(''))
  return new ProgramCompilationError('cpu-wasm', bytes, [String(cause)], { cause })
}
