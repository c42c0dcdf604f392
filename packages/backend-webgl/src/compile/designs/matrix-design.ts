/**
 * The design of an interaction matrix: one pass packs the sources, then a loop writes blocks of rows.
 *
 * @module
 */

import type { PairWorkload, Shape } from '@manybody/core'
import { type Guard, workPerPair } from '@manybody/core/backend'
import { accumulationIn, namedTape } from '@manybody/core/expression'
import { matrixCounts } from '../../design/counts.ts'
import { loopVariant, type MatrixDesign } from '../../design/design.ts'
import { completePass } from '../glsl/complete-pass.ts'
import type { Dialect } from '../glsl/dialect.ts'
import { matrixLoop } from '../loops/matrix-loop.ts'
import { packSources, pairTexts } from '../parts/pair-texts.ts'

/** @param guard says which coincident points to skip */
export function matrixDesign(workload: PairWorkload, shape: Shape, dialect: Dialect, guard: Guard): MatrixDesign {
  const { targets, sources } = shape
  const texts = pairTexts(workload, shape, guard, dialect)
  const { rows, stride, loop: counts } = matrixCounts(targets, sources, workPerPair(shape.lengths))
  const pack = completePass(dialect, packSources(texts, sources))
  const loop = completePass(dialect, matrixLoop(workload, texts, counts))
  return {
    driver: 'matrix',
    variant: loopVariant,
    accumulation: accumulationIn(workload, 'block'),
    passes: [pack, loop],
    run: namedTape(texts.body.run),
    attributes: texts.arrays,
    rows,
    stride,
    resident: {},
  }
}
