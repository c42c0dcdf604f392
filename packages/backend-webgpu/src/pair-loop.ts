/**
 * The pair loop in WGSL: every variant but the one that meets each pair once, in one template. Targets live in
 * registers, `targets` of them per invocation; how sources come to them is in `source-loops.ts`.
 *
 * A workgroup visits its part of the sources; where the grid splits them, it writes partial folds, which `combine.ts`
 * merges. `slices` splits them once more inside the workgroup, which merges its own.
 *
 * @module
 */
import type { Fold } from './fold.ts'
import { groupCount, openPart, saveGroup, savePart } from './group-minima.ts'
import { type LoopShape, targetsPerGroup } from './loop-shape.ts'
import { packedArray } from './pack.ts'
import { excludedFunction, type PairTexts } from './pair-texts.ts'
import { type Field, indent, type Resource, type Shader, shader } from './shader.ts'
import { declare, type LookTexts, loadSource, looksFirst, sourceLoops } from './source-loops.ts'

/** Fields of the uniform block of every pair loop, before the bindings of the run. */
export const pairFields: readonly Field[] = [
  { name: 'targetFirst', type: 'u32', note: 'targets [targetFirst, targetFirst + targetCount)' },
  { name: 'targetCount', type: 'u32' },
  { name: 'sourceFirst', type: 'u32', note: 'sources [sourceFirst, sourceLast)' },
  { name: 'sourceLast', type: 'u32' },
  { name: 'chunk', type: 'u32', note: 'sources of one workgroup' },
  { name: 'parts', type: 'u32', note: 'parts that the grid splits the sources into' },
  { name: 'carry', type: 'u32', note: '1 where results hold earlier ones to go on from' },
]

/** The arrays that folds are written to: results, or parts of them. */
export function outputsOf(fold: Fold, split: boolean): readonly Resource[] {
  const results = fold.results.map(
    ({ name, type }): Resource => ({ key: `result.${name}`, access: 'read_write', type }),
  )
  return split ? [{ key: 'partial', access: 'read_write', type: 'u32' }, ...results] : results
}

export function pairLoop(
  label: string,
  texts: PairTexts,
  fold: Fold,
  shape: LoopShape,
  run: readonly Field[],
  exclusions: boolean,
  look?: LookTexts,
): Shader {
  const { workgroup, slices } = shape
  const staged = shape.staging === 'workgroup'
  const subgroups = shape.staging === 'subgroup'
  const blocked = shape.blocks && fold.sums(0).length > 0
  const members = workgroup / slices
  const each = Array.from({ length: shape.targets }, (_, r) => r)
  const over = (text: (r: number) => string) => each.map(text).join('\n')

  const grouped = shape.group > 0
  const settled = settles(shape, look)
  const open = grouped ? over(fold.declare) : blocked ? over((r) => openBlock(fold, r)) : ''
  const close = grouped ? over((r) => saveGroup(shape.group, r)) : blocked ? over((r) => closeBlock(fold, r)) : ''
  const body = `${staged ? texts.record.map((type, v) => `var<workgroup> tile${v}: array<${type}, ${workgroup}>;\n`).join('') : ''}${
    slices > 1 ? `var<workgroup> shared_words: array<u32, ${workgroup * fold.words}>;\n` : ''
  }${exclusions ? excludedFunction : ''}
@compute @workgroup_size(${workgroup})
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
  ${subgroups ? '@builtin(subgroup_invocation_id) subgroupLane: u32,\n  @builtin(subgroup_size) subgroupSize: u32,' : ''}
) {
  ${slices > 1 ? `// Invocations of one member share targets; each visits its slice of the sources.\n  let member = lane % ${members}u;\n  let slice = lane / ${members}u;` : ''}
  let firstSource = run.sourceFirst + group.y * run.chunk;
  let lastSource = min(firstSource + run.chunk, run.sourceLast);
  ${shape.gridStride ? `for (var block = group.x; block * ${targetsPerGroup(shape)}u < run.targetCount; block += groups.x) {` : 'let block = group.x + group.z * groups.x;'}
  ${indent(
    over(
      (r) => `// Target ${r} of this invocation: its place among the results, and its index among the points.
let at_${r} = block * ${targetsPerGroup(shape)}u + ${r ? `${r * members}u + ` : ''}${slices > 1 ? 'member' : 'lane'};
let i_${r} = run.targetFirst + min(at_${r}, run.targetCount - 1u);
${texts.loadTarget(r)}
${exclusions ? `var cursor_${r} = exclusions_offsets[i_${r}];` : ''}
${grouped ? openPart(r) : fold.declare(r)}`,
    ),
    1,
  )}
  ${
    blocked
      ? indent(
          over((r) => totals(fold, r)),
          1,
        )
      : ''
  }
  ${indent(sourceLoops[shape.staging]({ texts, look, shape, each, open, close }), 1)}
  ${
    blocked
      ? indent(
          over((r) => sumsOfTotals(fold, r)),
          1,
        )
      : ''
  }
  ${
    look && settled === 'loop'
      ? indent(
          over((r) => settle(texts, look, r, shape, 'lastSource')),
          1,
        )
      : ''
  }
  ${grouped || settled === 'combine' ? '' : indent(resume(texts, fold, each, shape, exclusions), 1)}
  ${indent(grouped ? [groupCount(shape.group), over(savePart)] : ends(texts, fold, each, shape), 1)}
  ${shape.gridStride ? '}' : ''}
}
`
  const tileBytes = texts.record.reduce((sum, type) => sum + (type === 'vec2f' ? 8 : 16), 0) * workgroup
  return shader(
    {
      label,
      resources: [...texts.resources, packedArray('read'), ...outputsOf(fold, shape.split)],
      fields: [...pairFields, ...run],
      workgroup,
      subgroups,
      memory: (staged ? tileBytes : 0) + (slices > 1 ? 4 * workgroup * fold.words : 0),
    },
    body.replace(/^\s*\n/gm, ''),
  )
}

/** Whether the loop remembers steps rather than sources, and who finds the sources in the end: the loop, or the second reduction. */
export function settles(shape: LoopShape, look: LookTexts | undefined): 'never' | 'loop' | 'combine' {
  if (!look?.settle || !looksFirst(shape, look)) return 'never'
  return shape.split ? 'combine' : 'loop'
}

/** Visits again the step that the fold of target r remembers, from storage. */
export function settle(texts: PairTexts, look: LookTexts, r: number, { unroll }: LoopShape, last: string): string {
  const visit = `let end = min(j + ${unroll}u, ${last});
for (; j < end; j++) {
  ${indent(declare('source', loadSource(texts, { packed: false }, 'j')), 1)}
  ${indent(texts.pair(r), 1)}
}`
  return `{
  ${indent(look.settle?.(r, visit) ?? '', 1)}
}`
}

/** Earlier results join the first part of the first slice: as values, or by visiting the sources they name again. */
export function resume(
  texts: PairTexts,
  fold: Fold,
  each: readonly number[],
  shape: LoopShape,
  exclusions: boolean,
  at: (r: number) => string = (r) => `min(at_${r}, run.targetCount - 1u)`,
): string {
  const statements = each.map((r) => {
    if (!fold.revisits) return fold.resume(r, `at_${r}`)
    const [index] = fold.results
    if (!index) return ''
    return `for (var q = 0u; q < ${index.width}u; q++) {
  let earlier = result_${index.name}[${index.width}u * ${at(r)} + q];
  if (earlier >= 0) {
    let j = u32(earlier);
    ${indent(declare('source', loadSource(texts, { packed: false }, 'j')), 2)}
    ${exclusions ? `var cursor_${r} = exclusions_offsets[i_${r}];` : ''}
    ${indent(texts.pair(r), 2)}
  }
}`
  })
  if (!statements.some(Boolean)) return ''
  return `if (run.carry == 1u && group.y == 0u${shape.slices > 1 ? ' && slice == 0u' : ''}) {\n  ${indent(statements, 1)}\n}`
}

const totals = (fold: Fold, r: number) =>
  fold
    .sums(r)
    .map((name) => `var total_${name} = ${name};`)
    .join(' ')
const openBlock = (fold: Fold, r: number) =>
  fold
    .sums(r)
    .map((name) => `var ${name} = 0.0;`)
    .join(' ')
const closeBlock = (fold: Fold, r: number) =>
  fold
    .sums(r)
    .map((name) => `total_${name} += ${name};`)
    .join(' ')
const sumsOfTotals = (fold: Fold, r: number) =>
  fold
    .sums(r)
    .map((name) => `${name} = total_${name};`)
    .join(' ')

const ends = (texts: PairTexts, fold: Fold, each: readonly number[], shape: LoopShape): string =>
  shape.slices > 1 && fold.finishWord ? addSlices(texts, fold, each, shape) : endFolds(texts, fold, each, shape)

/** Ends the folds in registers, those of the slices merged first. */
function endFolds(texts: PairTexts, fold: Fold, each: readonly number[], shape: LoopShape): string {
  const sliced = shape.slices > 1
  const ends = each.map((r) => {
    const text = shape.split ? savePartial(fold, r) : fold.finish(r, `at_${r}`, texts.scale(r))
    return `if (${sliced ? 'slice == 0u && ' : ''}at_${r} < run.targetCount) {\n  ${indent(text, 1)}\n}`
  })
  return [...(sliced ? each.map((r) => mergeSlices(fold, r, shape)) : []), ...ends].join('\n')
}

const sharedWord = ({ workgroup }: LoopShape, word: string, lane: string) =>
  `shared_words[${word} * ${workgroup}u + ${lane}]`

const saveShared = (fold: Fold, r: number, shape: LoopShape) =>
  `workgroupBarrier();
${fold.save(r, (word, value) => `${sharedWord(shape, word, 'lane')} = ${value};`)}`

/** Adds up the sums of the slices, a word of each target by one invocation, and writes them. */
function addSlices(texts: PairTexts, fold: Fold, each: readonly number[], shape: LoopShape): string {
  const members = shape.workgroup / shape.slices
  const add = (r: number) => {
    const end = shape.split
      ? `${partialWord(fold, 'word', r)} = bitcast<u32>(sum);`
      : fold.finishWord?.('word', `at_${r}`, 'sum', texts.scale(r))
    return `${saveShared(fold, r, shape)}
workgroupBarrier();
for (var word = slice; word < ${fold.words}u && at_${r} < run.targetCount; word += ${shape.slices}u) {
  var sum = 0.0;
  for (var other = 0u; other < ${shape.slices}u; other++) {
    sum += bitcast<f32>(${sharedWord(shape, 'word', `other * ${members}u + member`)});
  }
  ${end}
}`
  }
  return each.map(add).join('\n')
}

/** Halves the slices again and again: each of the first half takes in the fold of one of the second. Written out. */
function mergeSlices(fold: Fold, r: number, shape: LoopShape): string {
  const members = shape.workgroup / shape.slices
  const halve = (left: number): string => {
    const half = Math.ceil(left / 2)
    return `workgroupBarrier();
if (slice < ${left - half}u) {
  ${indent(
    fold.merge(r, (word) => sharedWord(shape, word, `lane + ${half * members}u`)),
    1,
  )}
  ${
    half > 1
      ? indent(
          fold.save(r, (word, value) => `${sharedWord(shape, word, 'lane')} = ${value};`),
          1,
        )
      : ''
  }
}
${half > 1 ? halve(half) : ''}`
  }
  return `${saveShared(fold, r, shape)}\n${halve(shape.slices)}`
}

const partialWord = (fold: Fold, word: string, r: number) =>
  `partial[(group.y * ${fold.words}u + ${word}) * run.targetCount + at_${r}]`

const savePartial = (fold: Fold, r: number) =>
  fold.save(r, (word, value) => `${partialWord(fold, word, r)} = ${value};`)
