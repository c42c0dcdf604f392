/**
 * Texts of the loops that gather sources in a tile of workgroup memory while they walk a tree: loading the targets of a
 * workgroup by their places in the order, and visiting the `held` sources of the tile.
 *
 * @module
 */

import { type LoopShape, targetsPerGroup } from '../../design/loop-shape.ts'
import { wgsl } from '../../design/wgsl.ts'
import { range } from '../folds/fold.ts'
import type { PairTexts } from './pair-texts.ts'
import { members, type Sharing } from './slices.ts'
import { declare, pairs } from './source-texts.ts'

export interface TileTexts {
  /** The arrays of a tile with this number of places. */
  readonly tile: readonly string[]
  /** Loads the source at the place `at` of the tile. */
  readonly fromTile: string
  /** The index of that source among the points, if a fold or a condition needs it. */
  readonly loadIndex: string
}

export function tileTexts({ record, needsIndex }: PairTexts, length: number): TileTexts {
  const index = needsIndex ? [`var<workgroup> tileIndex: array<u32, ${length}>;`] : []
  return {
    tile: [...record.map((type, v) => `var<workgroup> tile${v}: array<${type}, ${length}>;`), ...index],
    fromTile: declare(
      'source',
      record.map((_, v) => `tile${v}[at]`),
    ),
    loadIndex: needsIndex ? 'let j = tileIndex[at];' : '',
  }
}

/** Bytes of workgroup memory for a tile with this number of places. */
export const tileBytes = ({ record }: Pick<PairTexts, 'record'>, length: number): number =>
  (4 + record.reduce((sum, type) => sum + (type === 'vec2f' ? 8 : 16), 0)) * length

/** Visits the sources in the tile one by one. */
export function visitTile(
  texts: PairTexts,
  { slices, unroll, targets }: LoopShape,
  { first }: Sharing,
  { fromTile, loadIndex }: TileTexts,
): string {
  const visit = (at: string) => wgsl`{
  let at = ${at};
  ${fromTile}
  ${loadIndex}
  ${pairs(texts, range(targets))}
}`
  const steps = range(unroll).map((u) => visit(u > 0 ? `next + ${u * slices}u` : 'next'))
  const unrolled =
    unroll > 1
      ? wgsl`for (; next + ${(unroll - 1) * slices}u < held; next += ${unroll * slices}u) {
  ${steps}
}`
      : ''
  return wgsl`var next = ${first};
${unrolled}
for (; next < held; next += ${slices}u) ${visit('next')}`
}

/** A place for a target, as WGSL, with the names of its axes. */
interface PlaceText {
  readonly vector: string
  readonly axes: readonly string[]
}

/** Loads the target `r` of this invocation. @param moved its coordinates, declared as `inside_r`; by default those of the point */
export function orderedTarget(
  texts: PairTexts,
  shape: LoopShape,
  { member }: Sharing,
  r: number,
  gathered: string,
  moved?: PlaceText,
): string {
  const inside = moved ? `let inside_${r} = ${moved.vector};` : ''
  const place = r > 0 ? `${r * members(shape)}u + ${member}` : member
  return wgsl`// Target ${r} of this invocation: place_${r} is its place in the order, i_${r} its index among the points, and at_${r} the place of
// its result, or 0xffffffff if there is no such target.
let place_${r} = block * ${targetsPerGroup(shape)}u + ${place};
let i_${r} = order[min(place_${r}, run.targetCount - 1u)];
let at_${r} = select(0xffffffffu, i_${r}, place_${r} < run.targetCount);
${inside}
${texts.loadTarget(
  r,
  moved?.axes.map((axis) => `inside_${r}.${axis}`),
)}
${gathered}`
}
