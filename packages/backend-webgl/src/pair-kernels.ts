/**
 * The passes of a pair workload, compiled once with and once without the guard for coincident points, as runs need them.
 *
 * @module
 */
import type { PairWorkload, Shape } from '@manybody/core'
import { isSingular, termOf } from '@manybody/core/backend'
import { type Fold, foldOf } from './folds.ts'
import { matrixLoop } from './matrix-loop.ts'
import { pairLoop } from './pair-loop.ts'
import { type PairTexts, packSources, pairTexts } from './pair-texts.ts'
import { Pass } from './pass.ts'
import type { Sheets } from './sheets.ts'

/** Everything of one guard setting. */
export interface PairKernel {
  readonly texts: PairTexts
  readonly pack: Pass
  readonly loop: Pass
  /** Resolves when both have compiled. @throws {@link ProgramCompilationError} */
  ready(): Promise<void>
  /** Of a matrix: none. */
  readonly fold: Fold | undefined
}

export class PairKernels {
  readonly #compiled = new Map<boolean, PairKernel>()

  constructor(
    readonly sheets: Sheets,
    readonly workload: PairWorkload,
    readonly shape: Shape,
    /** Rows of a matrix in one pass. */
    readonly rows: number,
  ) {}

  /** The kernel that these parameters need; starts compiling it if it is not yet. */
  for(parameters: Readonly<Record<string, number>>): PairKernel {
    const { workload, shape } = this
    const guard = workload.reduction !== 'count' && isSingular(termOf(workload, shape.dimension), parameters)
    let kernel = this.#compiled.get(guard)
    if (kernel === undefined) {
      kernel = this.#compile(guard)
      this.#compiled.set(guard, kernel)
    }
    return kernel
  }

  #compile(guard: boolean): PairKernel {
    const { workload, shape, sheets } = this
    const { sources } = shape
    const texts = pairTexts(workload, shape, guard, sheets.host.dialect)
    const pass = (source: ConstructorParameters<typeof Pass>[1]) => new Pass(sheets.host, source, sheets.standIn)
    const fold = workload.reduction === 'none' ? undefined : foldOf(workload, texts)
    const pack = pass(packSources(texts, sources))
    const loop = pass(fold ? pairLoop(workload, texts, fold, shape) : matrixLoop(workload, texts, sources, this.rows))
    return {
      texts,
      fold,
      pack,
      loop,
      ready: async () => {
        await pack.ready()
        await loop.ready()
      },
    }
  }

  dispose(): void {
    for (const { pack, loop } of this.#compiled.values()) for (const pass of [pack, loop]) pass.dispose()
    this.#compiled.clear()
  }
}
