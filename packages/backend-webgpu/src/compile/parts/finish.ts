/**
 * The end of a pair loop, as WGSL: adds earlier results, merges slices, and writes each fold, either as a result or as a
 * part that the second reduction reads.
 *
 * @module
 */

import type { LoopShape } from '../../design/loop-shape.ts'
import { wgsl } from '../../design/wgsl.ts'
import type { Fold } from '../folds/fold.ts'
import { groupCount, savePart } from '../folds/group-minima.ts'
import { type LookTexts, settle, settles } from './looks.ts'
import type { PairTexts } from './pair-texts.ts'
import { addSlices, mergeSlices, type Sharing } from './slices.ts'
import { declare, loadSource } from './source-texts.ts'

export interface Ending {
  readonly texts: PairTexts
  readonly fold: Fold
  readonly shape: LoopShape
  readonly each: readonly number[]
  readonly exclusions: boolean
  readonly look: LookTexts | undefined
  readonly sharing: Sharing
  /** Whether a run may continue from earlier results. */
  readonly resumes: boolean
}

export function finish(ending: Ending): readonly string[] {
  const { texts, fold, shape, each, exclusions, look, sharing, resumes } = ending
  if (shape.group > 0) return [groupCount(shape.group), ...each.map(savePart)]
  const settled = settles(shape, look)
  const found = look && settled === 'loop' ? each.map((r) => settle(texts, look, r, shape, 'lastSource')) : []
  const first = ['run.carry == 1u', 'group.y == 0u', ...sharing.writes].join(' && ')
  const earlier = !resumes || settled === 'combine' ? '' : resume(texts, fold, each, exclusions, first)
  return [...found, earlier, ...(shape.slices > 1 ? mergedEnds(ending) : each.map((r) => writtenEnd(ending, r)))]
}

/** Sums are merged word by word, other folds as a whole. */
function mergedEnds(ending: Ending): readonly string[] {
  const { texts, fold, shape, each } = ending
  const { finishWord } = fold
  if (!finishWord) return [...each.map((r) => mergeSlices(fold, r, shape)), ...each.map((r) => writtenEnd(ending, r))]
  return each.map((r) => {
    const part = `${partialWord(fold, 'word', r)} = bitcast<u32>(sum);`
    const write = shape.split ? part : finishWord('word', `at_${r}`, 'sum', texts.scale(r))
    return addSlices(fold, r, shape, write)
  })
}

function writtenEnd({ texts, fold, shape, sharing }: Ending, r: number): string {
  const part = fold.save(r, (word, value) => `${partialWord(fold, word, r)} = ${value};`)
  const write = shape.split ? part : fold.finish(r, `at_${r}`, texts.scale(r))
  const condition = [...sharing.writes, `at_${r} < run.targetCount`].join(' && ')
  return wgsl`if (${condition}) {
  ${write}
}`
}

const partialWord = (fold: Fold, word: string, r: number) =>
  `partial[(group.y * ${fold.words}u + ${word}) * run.targetCount + at_${r}]`

/**
 * Adds earlier results to the first part of the first slice, either as values or by visiting their sources again.
 *
 * @param condition chooses the invocation that adds them
 */
export function resume(
  texts: PairTexts,
  fold: Fold,
  each: readonly number[],
  exclusions: boolean,
  condition: string,
  at: (r: number) => string = (r) => `min(at_${r}, run.targetCount - 1u)`,
): string {
  const statements = each.map((r) => {
    if (!fold.revisits) return fold.resume(r, `at_${r}`)
    const [index] = fold.results
    if (!index) return ''
    const cursor = exclusions ? `var cursor_${r} = exclusions_offsets[i_${r}];` : ''
    return wgsl`for (var q = 0u; q < ${index.width}u; q++) {
  let earlier = result_${index.name}[${index.width}u * ${at(r)} + q];
  if (earlier >= 0) {
    let j = u32(earlier);
    ${declare('source', loadSource(texts, { packed: false }, 'j'))}
    ${cursor}
    ${texts.pair(r)}
  }
}`
  })
  if (!statements.some(Boolean)) return ''
  return wgsl`if (${condition}) {
  ${statements}
}`
}
