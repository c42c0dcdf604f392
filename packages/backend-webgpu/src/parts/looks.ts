/**
 * Looks at the sources of one step of the tiled loop before they are visited, for folds that few sources change, as WGSL.
 * Folds that remember a step rather than a source find the source in the end: they *settle*.
 *
 * @module
 */
import type { Fold } from '../folds/fold.ts'
import { wgsl } from '../wgsl/wgsl.ts'
import type { LoopShape } from './loop-shape.ts'
import type { PairTexts } from './pair-texts.ts'
import { declare, loadSource, pairs, stepOf } from './source-texts.ts'

/** The look of a fold, with its pair written out. */
export interface LookTexts extends Omit<Required<Fold>['look'], 'pair'> {
  readonly texts: PairTexts
  readonly skipSelf: boolean
}

/** Whether a loop looks first: 32 sources at most have a bit each, and what settles in the end is for long loops. */
export function looksFirst({ staging, unroll, slices }: LoopShape, { settle }: LookTexts): boolean {
  return staging === 'workgroup' && unroll > 1 && unroll <= 32 && !(settle && slices > 1)
}

/**
 * One step of the inner loop: a look at each of its sources, then what the fold makes of it.
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
  const looks = Array.from(
    { length: unroll },
    (_, u) => wgsl`{
  let bit = ${2 ** u}u;
  ${fromTile(place(stepOf(u, shape)))}
  ${lookAtPairs}
}`,
  )
  const close = each.map((r) => {
    const visit = (u: string) => wgsl`let at = ${place(`turn * ${unroll}u + ${u}`)};
let j = start + at;
${fromTile('at')}
${texts.pair(r)}`
    return look.close(r, { first: 'first', sources: unroll, visit, skipSelf: look.skipSelf })
  })
  return [...each.map(look.open), ...looks, `let first = start + ${place(stepOf(0, shape))};`, ...close]
}

/** Whether the loop remembers steps rather than sources, and who finds the sources in the end: the loop, or the second reduction. */
export function settles(shape: LoopShape, look: LookTexts | undefined): 'never' | 'loop' | 'combine' {
  if (!look?.settle || !looksFirst(shape, look)) return 'never'
  return shape.split ? 'combine' : 'loop'
}

/** Visits again the step that the fold of target r remembers, from storage. */
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
