/**
 * How the invocations of a workgroup share its targets and the sources of a tile, as WGSL. With one slice, each invocation
 * has separate targets and visits the whole tile. With more, several invocations share targets; each visits one slice of the
 * tile, and they merge their folds in workgroup memory.
 *
 * @module
 */

import type { LoopShape } from '../../design/loop-shape.ts'
import { wgsl } from '../../design/wgsl.ts'
import type { Fold } from '../folds/fold.ts'

export interface Sharing {
  /** Declares the workgroup memory for merging slices. */
  readonly memory: string
  readonly declare: string
  /** The index of an invocation among those with separate targets. */
  readonly member: string
  /** The place in a full tile that one step of the inner loop visits. */
  readonly place: (step: string) => string
  /** The first place in a tile that is not full, and the statement that moves on to the next. */
  readonly first: string
  readonly next: string
  /** Conditions for the invocation that writes the folds of its targets. */
  readonly writes: readonly string[]
}

export const members = ({ workgroup, slices }: LoopShape): number => workgroup / slices

export function sharingOf(fold: Fold, shape: LoopShape): Sharing {
  const { slices, workgroup } = shape
  if (slices === 1)
    return {
      memory: '',
      declare: '',
      member: 'lane',
      place: (step) => step,
      first: '0u',
      next: 'at++',
      writes: [],
    }
  return {
    memory: `var<workgroup> shared_words: array<u32, ${workgroup * fold.words}>;`,
    declare: `// Invocations with the same member share targets; each visits one slice of the sources.
let member = lane % ${members(shape)}u;
let slice = lane / ${members(shape)}u;`,
    member: 'member',
    // Slices are interleaved, so that the invocations of a subgroup read neighbouring places of the tile.
    place: (step) => `(${step}) * ${slices}u + slice`,
    first: 'slice',
    next: `at += ${slices}u`,
    writes: ['slice == 0u'],
  }
}

const sharedWord = ({ workgroup }: LoopShape, word: string, lane: string) =>
  `shared_words[${word} * ${workgroup}u + ${lane}]`

const saveWords = (fold: Fold, r: number, shape: LoopShape) =>
  fold.save(r, (word, value) => `${sharedWord(shape, word, 'lane')} = ${value};`)

/**
 * Adds up the sums of the slices; one invocation adds one word of each target.
 *
 * @param write statements that use `sum`, the sum of a word
 */
export function addSlices(fold: Fold, r: number, shape: LoopShape, write: string): string {
  return wgsl`
workgroupBarrier();
${saveWords(fold, r, shape)}
workgroupBarrier();
for (var word = slice; word < ${fold.words}u && at_${r} < run.targetCount; word += ${shape.slices}u) {
  var sum = 0.0;
  for (var other = 0u; other < ${shape.slices}u; other++) {
    sum += bitcast<f32>(${sharedWord(shape, 'word', `other * ${members(shape)}u + member`)});
  }
  ${write}
}`
}

/** Merges slices pairwise until one is left: the first half takes the folds of the second. The steps are unrolled. */
export function mergeSlices(fold: Fold, r: number, shape: LoopShape): string {
  const halve = (left: number): string => {
    const half = Math.ceil(left / 2)
    const take = fold.merge(r, (word) => sharedWord(shape, word, `lane + ${half * members(shape)}u`))
    const [save, rest] = half > 1 ? [saveWords(fold, r, shape), halve(half)] : ['', '']
    return wgsl`
workgroupBarrier();
if (slice < ${left - half}u) {
  ${take}
  ${save}
}
${rest}`
  }
  return wgsl`
workgroupBarrier();
${saveWords(fold, r, shape)}
${halve(shape.slices)}`
}
