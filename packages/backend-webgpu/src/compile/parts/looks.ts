/**
 * Looks, as WGSL: for folds that few sources change, the tiled loop tests all sources of a step cheaply before it visits any.
 * Some folds then remember the step instead of the source, and find the source at the end: they *settle*.
 *
 * @module
 */

import type { LoopShape } from '../../design/loop-shape.ts'
import { wgsl } from '../../design/wgsl.ts'
import type { Fold } from '../folds/fold.ts'
import type { PairTexts } from './pair-texts.ts'
import { declare, loadSource, pairs, stepOf } from './source-texts.ts'

/** The look of a fold, with the WGSL of its pairs. */
export interface LookTexts extends Omit<Required<Fold>['look'], 'pair'> {
  readonly texts: PairTexts
  readonly skipSelf: boolean
}

/** Whether a loop looks first. A step has at most 32 sources, one bit each. Settling pays only in long loops, without slices. */
export function looksFirst({ staging, unroll, slices }: LoopShape, { settle }: LookTexts): boolean {
  return staging === 'workgroup' && unroll > 1 && unroll <= 32 && !(settle && slices > 1)
}

/**
 * One step of the inner loop: looks at each of its sources, then updates the fold.
 *
 * @param fromTile declares the source at a place in the tile
 */
export function lookedStep(
  look: LookTexts,
  texts: PairTexts,
  each: readonly number[],
  shape: LoopShape,
  place: (step: string) => string,
  fromTile: (at: string) => string,
): readonly string[] {
  const { unroll } = shape
  const lookAtPairs = pairs(look.texts, each)
  const looks = Array.from({ length: unroll }, (_, u) => {
    const at = place(stepOf(u, shape))
    const index = look.texts.needsIndex ? `let j = start + ${at};` : ''
    return wgsl`{
  let bit = ${2 ** u}u;
  ${index}
  ${fromTile(at)}
  ${lookAtPairs}
}`
  })
  const close = each.map((r) => {
    const visit = (u: string) => wgsl`let at = ${place(`turn * ${unroll}u + ${u}`)};
let j = start + at;
${fromTile('at')}
${texts.pair(r)}`
    return look.close(r, { first: 'first', sources: unroll, visit, skipSelf: look.skipSelf })
  })
  return [...each.map(look.open), ...looks, `let first = start + ${place(stepOf(0, shape))};`, ...close]
}

/** Where the sources are found if the loop remembers steps instead: at the end of the loop, or in the second reduction. */
export function settles(shape: LoopShape, look: LookTexts | undefined): 'never' | 'loop' | 'combine' {
  if (!look?.settle || !looksFirst(shape, look)) return 'never'
  return shape.split ? 'combine' : 'loop'
}

/** Visits the step that the fold of target r remembers once more, reading its sources from storage. */
export function settle(texts: PairTexts, look: LookTexts, r: number, { unroll }: LoopShape, last: string): string {
  const visit = wgsl`let end = min(j + ${unroll}u, ${last});
for (; j < end; j++) {
  ${declare('source', loadSource(texts, { packed: false }, 'j'))}
  ${texts.pair(r)}
}`
  const found = look.settle?.(r, visit) ?? ''
  return wgsl`{
  ${found}
}`
}
