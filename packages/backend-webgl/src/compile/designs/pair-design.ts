/**
 * The design of a sum or another reduction over pairs: one pass packs the sources, then a loop folds them.
 *
 * @module
 */

import type { PairWorkload, Shape } from '@manybody/core'
import type { Guard } from '@manybody/core/backend'
import { accumulationIn, namedTape } from '@manybody/core/expression'
import { loopVariant, type PairDesign } from '../../design/design.ts'
import { foldOf } from '../folds/folds.ts'
import { completePass } from '../glsl/complete-pass.ts'
import type { Dialect } from '../glsl/dialect.ts'
import { pairLoop } from '../loops/pair-loop.ts'
import { packSources, pairTexts } from '../parts/pair-texts.ts'

/** @param guard says which coincident points to skip */
export function pairDesign(workload: PairWorkload, shape: Shape, dialect: Dialect, guard: Guard): PairDesign {
  const texts = pairTexts(workload, shape, guard, dialect)
  const fold = foldOf(workload, texts)
  const pack = completePass(dialect, packSources(texts, shape.sources))
  const loop = completePass(dialect, pairLoop(workload, texts, fold, shape))
  return {
    driver: 'pair',
    variant: loopVariant,
    accumulation: accumulationIn(workload, 'block'),
    passes: [pack, loop],
    run: namedTape(texts.body.run),
    attributes: texts.arrays,
    state: fold.state,
    resident: fold.resident,
  }
}
