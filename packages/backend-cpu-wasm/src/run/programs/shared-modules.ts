/**
 * The modules of designs. Programs that have a design in common, such as those for other numbers of points, share its module. So it is
 * compiled once, and engines that compile functions better the more often they run see all of the runs.
 *
 * @module
 */
import type { ProgramDesign } from '../../design/design.ts'
import type { Host } from '../host/host.ts'
import type { Memory } from '../host/memory.ts'
import type { LoadedProgram } from '../placement/loaded-program.ts'
import { load } from './load.ts'

interface Shared {
  readonly loaded: Promise<LoadedProgram>
  programs: number
}

/** By the memory and the design of a module. */
const shared = new WeakMap<Memory, WeakMap<ProgramDesign, Shared>>()

/** The module of a design for one more program. @throws {@link ProgramCompilationError} */
export async function takeModule(design: ProgramDesign, { memory, pool }: Host): Promise<LoadedProgram> {
  const start = performance.now()
  const known = shared.get(memory) ?? new WeakMap<ProgramDesign, Shared>()
  shared.set(memory, known)
  const module = known.get(design) ?? { loaded: load(design, memory, pool), programs: 0 }
  known.set(design, module)
  module.programs++
  const program = await module.loaded.catch((error: unknown) => {
    if (known.get(design) === module) known.delete(design)
    throw error
  })
  // Other threads help with some numbers of points and not with others.
  return {
    ...program,
    choosers: pool?.choosersOf(program.phases) ?? [],
    milliseconds: performance.now() - start,
  }
}

/** Gives up a program's module. The last one to do so removes it from the pool. */
export function giveModule({ design, id }: LoadedProgram, { memory, pool }: Host): void {
  const module = shared.get(memory)?.get(design)
  if (module && --module.programs > 0) return
  shared.get(memory)?.delete(design)
  pool?.drop(id)
}
