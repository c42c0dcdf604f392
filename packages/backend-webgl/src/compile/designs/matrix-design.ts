/**
 * The design of an interaction matrix: one pass packs the sources, then a loop writes blocks of rows.
 *
 * @module
 */
import type { PairWorkload, Shape } from '@manybody/core'
import type { Guard } from '@manybody/core/backend'
import { accumulationIn } from '@manybody/core/expression'
import { loopVariant, type MatrixDesign } from '../../design/design.ts'
import { completePass } from '../glsl/complete-pass.ts'
import type { Dialect } from '../glsl/dialect.ts'
import { matrixLoop, quadsOf } from '../loops/matrix-loop.ts'
import { packSources, pairTexts } from '../loops/pair-texts.ts'

/** Texels that one pass writes: 4 MiB, which take a fraction of a second even without a GPU. */
const passTexels = 2 ** 18

/** @param guard which coincident points to skip */
export function matrixDesign(workload: PairWorkload, shape: Shape, dialect: Dialect, guard: Guard): MatrixDesign {
  const { targets, sources } = shape
  const texts = pairTexts(workload, shape, guard, dialect)
  const quads = quadsOf(sources)
  const rows = Math.max(1, Math.min(targets, Math.floor(passTexels / Math.max(1, quads))))
  const pack = completePass(dialect, packSources(texts, sources))
  const loop = completePass(dialect, matrixLoop(workload, texts, sources, rows))
  const { attributes, run } = texts.body
  return {
    driver: 'matrix',
    variant: loopVariant,
    accumulation: accumulationIn(workload, 'block'),
    passes: [pack, loop],
    run,
    attributes,
    rows,
    stride: 4 * quads,
    resident: {},
  }
}
