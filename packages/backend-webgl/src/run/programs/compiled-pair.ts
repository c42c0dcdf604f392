/**
 * The passes of a loop over pairs, compiled on first use.
 *
 * @module
 */
import type { MatrixDesign, PairDesign } from '../../design/design.ts'
import type { Sheets } from '../host/memory.ts'
import { Pass } from '../host/pass.ts'

export interface CompiledPair<Design extends PairDesign | MatrixDesign = PairDesign | MatrixDesign> {
  readonly design: Design
  readonly pack: Pass
  readonly loop: Pass
  /** Resolves when both have compiled. @throws {@link ProgramCompilationError} */
  ready(): Promise<void>
  dispose(): void
}

/** Starts compiling. */
export function compilePair<Design extends PairDesign | MatrixDesign>(
  { host, standIn }: Sheets,
  design: Design,
): CompiledPair<Design> {
  const [pack, loop] = design.passes.map((source) => new Pass(host, source, standIn)) as [Pass, Pass]
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
}
