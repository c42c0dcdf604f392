/**
 * The passes of a pair workload, compiled on first use.
 *
 * @module
 */
import type { PairWorkload, Shape } from '@manybody/core'
import { Guarded, guardRule } from '@manybody/core/backend'
import { type PairDesign, pairDesign } from '../designs/pair-design.ts'
import type { Dialect } from '../glsl/dialect.ts'
import type { Sheets } from '../host/memory.ts'
import { Pass } from '../host/pass.ts'

export interface CompiledPair {
  readonly design: PairDesign
  readonly pack: Pass
  readonly loop: Pass
  /** Resolves when both have compiled. @throws {@link ProgramCompilationError} */
  ready(): Promise<void>
  dispose(): void
}

/** Compiles with the guard for coincident points that the parameters of a run need. */
export function compiledPair(
  { host, standIn }: Sheets,
  workload: PairWorkload,
  shape: Shape,
  dialect: Dialect = host.dialect,
): Guarded<CompiledPair> {
  return new Guarded(guardRule(workload, shape), (guard) => {
    const design = pairDesign(workload, shape, dialect, guard)
    const pack = new Pass(host, design.pack, standIn)
    const loop = new Pass(host, design.loop, standIn)
    return {
      design,
      pack,
      loop,
      ready: async () => {
        await pack.ready()
        await loop.ready()
      },
      dispose: () => {
        pack.dispose()
        loop.dispose()
      },
    }
  })
}
