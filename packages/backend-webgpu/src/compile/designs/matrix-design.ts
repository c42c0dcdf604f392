/**
 * The design of an interaction matrix.
 *
 * @module
 */

import type { PairWorkload, Plan, Shape } from '@manybody/core'
import { guardRule, namedTape, type PairBody, pairBody } from '@manybody/core/expression'
import { componentBytes, componentsAtOnce, type TileSizes } from '../../design/component-tile.ts'
import type { MatrixDesign, MatrixVersion } from '../../design/design.ts'
import type { LoopLimits } from '../../design/facts.ts'
import type { Field } from '../../design/shader.ts'
import { versionFor } from '../../design/versions.ts'
import { derived, versionsFor } from '../../designs/lazily.ts'
import { inTiles } from '../loops/component-loop.ts'
import { componentMatrixLoop } from '../loops/component-matrix-loop.ts'
import { columnsPerGroup, matrixFold, matrixLoop, matrixWorkgroup, rowsPerGroup } from '../loops/matrix-loop.ts'
import { type PairTextOptions, type PairTexts, pairTexts, vectorCounts } from '../parts/pair-texts.ts'

interface Target {
  readonly limits: LoopLimits
  /** Whether a software GPU may compile it. */
  readonly software: boolean
  /** Whether it is for a card, where pairs of vectors meet in tiles. */
  readonly tiled: boolean
}

/** @throws RangeError if the caller gives a plan */
export function matrixDesign(
  workload: PairWorkload,
  shape: Shape,
  plan: Plan | undefined,
  { limits, software, tiled }: Target,
): MatrixDesign {
  if (plan)
    throw new RangeError(
      `"plan" expected none, because the law and the size of a matrix choose its loop, got ${JSON.stringify(plan)}`,
    )
  const rule = guardRule(workload, shape)
  const written = versionsFor(rule, (guard) => writtenMatrix(workload, shape, pairBody(workload, shape, { guard })))
  const usual = versionFor({ versions: written, guard: rule })
  const tile = tiled ? tileOf(usual.texts, shape, limits) : undefined
  const { workgroup, columns, rows } = tile
    ? { workgroup: tile.members * tile.slices, columns: tile.slices * tile.sources, rows: tile.members * tile.targets }
    : { workgroup: matrixWorkgroup, columns: columnsPerGroup, rows: rowsPerGroup }
  return {
    driver: 'matrix',
    variant: `matrix (workgroup ${workgroup}, columns ${columns}, rows ${rows})`,
    accumulation: 'none',
    inputs: usual.texts.resources.map(({ key }) => key),
    results: [{ name: 'value', type: 'f32', width: shape.sources }],
    guard: rule,
    versions: derived(written, (one) => (tile ? one.inTiles(tile) : one.plain(software))),
    arrayBytes: Math.min(limits.maxBufferSize, limits.maxStorageBufferBindingSize),
    rowsPerGroup: rows,
    columnsPerGroup: columns,
  }
}

interface WrittenMatrix {
  readonly texts: PairTexts
  readonly plain: (software: boolean) => MatrixVersion
  readonly inTiles: (tile: TileSizes) => MatrixVersion
}

function writtenMatrix(workload: PairWorkload, shape: Shape, body: PairBody): WrittenMatrix {
  const exclusions = workload.domain.exclusions.length > 0
  const { dimension, sameSet, lengths } = shape
  const placed = !lengths || shape.vectors.includes('position')
  const points = { dimension, sameSet, placed, ...(lengths && { lengths }) }
  const textsOf = (more: Pick<PairTextOptions, 'foldValue'> = {}) =>
    pairTexts({ ...points, body, fold: matrixFold, exclusions, ...more })
  const texts = textsOf()
  const label = `${workload.law.name}, matrix`
  const run = body.run.map(({ name }): Field => ({ name, type: 'f32' }))
  return {
    texts,
    plain(software) {
      const loop = matrixLoop(label, texts, run, { exclusions, looping: body.folds.length > 0, software })
      return { shaders: { loop }, run: namedTape(body.run) }
    },
    inTiles(tile) {
      const loop = componentMatrixLoop(label, textsOf({ foldValue: inTiles.foldValue }), tile, run, exclusions)
      return { shaders: { loop }, run: namedTape(body.run) }
    },
  }
}

/** A tile for many pairs, and one for few, or for pairs with several functions of vectors. */
const [largeTile, smallTile]: readonly [TileSizes, TileSizes] = [
  { members: 16, slices: 16, targets: 8, sources: 8 },
  { members: 8, slices: 8, targets: 4, sources: 4 },
]
/** Fewer pairs do not fill a card with large tiles. */
const fewPairs = 1024 ** 2
/** The most functions of vectors of a pair: an invocation keeps those of all its pairs in registers. */
const mostFunctions = 4

/** The tile for a law; undefined if its pairs have no functions of vectors, or too many. */
function tileOf({ ofBoth }: PairTexts, { targets, sources }: Shape, limits: LoopLimits): TileSizes | undefined {
  if (ofBoth.length === 0 || ofBoth.length > mostFunctions) return undefined
  const counts = vectorCounts(ofBoth)
  const fits = (tile: TileSizes) =>
    tile.members * tile.slices <= limits.maxComputeInvocationsPerWorkgroup &&
    componentsAtOnce(tile, counts) >= 1 &&
    componentBytes(tile, counts) <= limits.maxComputeWorkgroupStorageSize
  const large = ofBoth.length === 1 && targets * sources > fewPairs
  return [...(large ? [largeTile] : []), smallTile].find(fits)
}
