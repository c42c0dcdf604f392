/**
 * The passes of a pair workload, compiled with and without the guard for coincident points, as runs need them.
 *
 * @module
 */
import type { PairWorkload, Shape } from '@manybody/core'
import { Guarded } from '@manybody/core/backend'
import type { Fold } from '../folds/fold.ts'
import { foldOf } from '../folds/folds.ts'
import type { Sheets } from '../host/memory.ts'
import { Pass } from '../host/pass.ts'
import { matrixLoop } from '../loops/matrix-loop.ts'
import { pairLoop } from '../loops/pair-loop.ts'
import { type PairTexts, packSources, pairTexts } from '../loops/pair-texts.ts'

/** Everything of one guard setting. */
export interface PairPasses {
  readonly texts: PairTexts
  readonly pack: Pass
  readonly loop: Pass
  /** Resolves when both have compiled. @throws {@link ProgramCompilationError} */
  ready(): Promise<void>
  /** Of a matrix: none. */
  readonly fold: Fold | undefined
  dispose(): void
}

/** Passes start compiling when they are first asked for. @param rows of a matrix in one pass */
export function pairPasses(sheets: Sheets, workload: PairWorkload, shape: Shape, rows: number): Guarded<PairPasses> {
  const { host, standIn } = sheets
  return new Guarded(workload, shape.dimension, (guard) => {
    const texts = pairTexts(workload, shape, guard, host.dialect)
    const fold = workload.reduction === 'none' ? undefined : foldOf(workload, texts)
    const pack = new Pass(host, packSources(texts, shape.sources), standIn)
    const source = fold ? pairLoop(workload, texts, fold, shape) : matrixLoop(workload, texts, shape.sources, rows)
    const loop = new Pass(host, source, standIn)
    return {
      texts,
      fold,
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
