/**
 * The design of a pair workload: one pass packs the sources, then a loop folds them or writes rows of a matrix.
 *
 * @module
 */
import type { PairWorkload, Shape } from '@manybody/core'
import { accumulationIn, type Guard } from '@manybody/core/backend'
import type { Fold } from '../folds/fold.ts'
import { foldOf } from '../folds/folds.ts'
import type { Dialect } from '../glsl/dialect.ts'
import type { PassSource } from '../glsl/pass-source.ts'
import { matrixLoop, quadsOf } from '../loops/matrix-loop.ts'
import { pairLoop } from '../loops/pair-loop.ts'
import { type PairTexts, packSources, pairTexts } from '../loops/pair-texts.ts'
import { loopVariant, type ProgramDesign } from './design.ts'

export interface PairDesign extends ProgramDesign {
  readonly texts: PairTexts
  readonly pack: PassSource
  readonly loop: PassSource
  /** Undefined for a matrix, which folds nothing. */
  readonly fold: Fold | undefined
}

/** @param guard which coincident points to skip */
export function pairDesign(workload: PairWorkload, shape: Shape, dialect: Dialect, guard: Guard): PairDesign {
  const texts = pairTexts(workload, shape, guard, dialect)
  const fold = workload.reduction === 'none' ? undefined : foldOf(workload, texts)
  const pack = packSources(texts, shape.sources)
  const loop = fold
    ? pairLoop(workload, texts, fold, shape)
    : matrixLoop(workload, texts, shape.sources, matrixRowsOf(shape))
  return {
    variant: loopVariant,
    accumulation: accumulationIn(workload, 'block'),
    passes: [pack, loop],
    resident: fold?.resident ?? {},
    texts,
    fold,
    pack,
    loop,
  }
}

/** Texels that one pass writes of a matrix: 4 MiB, which take a fraction of a second even without a GPU. */
const passTexels = 2 ** 18

/** Rows of a matrix that one pass writes. */
export const matrixRowsOf = ({ targets, sources }: Shape): number =>
  Math.max(1, Math.min(targets, Math.floor(passTexels / Math.max(1, quadsOf(sources)))))
