/**
 * The second reduction, in WGSL: merges the partial folds of a loop with sources that the grid splits into parts. The partial
 * array is `[part, word, target]`, so that neighbouring invocations read neighbouring words. If workgroup memory allows,
 * several invocations share the parts of a target, because a few targets alone would not keep a device busy.
 *
 * @module
 */

import { targetsPerCombine } from '../../design/loop-shape.ts'
import type { Field, Shader } from '../../design/shader.ts'
import { wgsl } from '../../design/wgsl.ts'
import type { Fold } from '../folds/fold.ts'
import type { PairTexts } from '../parts/pair-texts.ts'
import { shader } from '../wgsl/shader.ts'
import { outputsOf } from './pair-loop.ts'

const members = targetsPerCombine
/** The most invocations that share the parts of a target: a workgroup of 256 is within every device's limits. */
const mostShares = 8
/** Bytes of workgroup memory for their folds. */
const mostBytes = 16384

export function combine(
  label: string,
  texts: Pick<PairTexts, 'resources' | 'functions' | 'loadTarget' | 'scale'>,
  fold: Fold,
  fields: readonly Field[],
  /** Statements that find the sources that the loop left unsettled; earlier results are added after them. */
  settle = '',
): Shader {
  const shares = 4 * fold.words * members * mostShares <= mostBytes ? mostShares : 1
  const workgroup = members * shares
  const takePart = fold.merge(0, (word) => `partial[(part * ${fold.words}u + ${word}) * run.targetCount + at_0]`)
  const { memory, saveShare, takeShares } = shares > 1 ? shared(fold, workgroup) : alone
  const scale = texts.scale(0)
  const target = scale || settle ? ['let i_0 = run.targetFirst + at_0;', texts.loadTarget(0)] : []
  const settled = settle ? [settle, `if (run.carry == 1u) { ${fold.resume(0, 'at_0')} }`] : []
  const body = wgsl`
${memory}
@compute @workgroup_size(${workgroup})
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let share = lane / ${members}u;
  let at_0 = (group.x + 65535u * group.y) * ${members}u + lane % ${members}u;
  ${fold.declare(0)}
  for (var part = share; part < run.parts && at_0 < run.targetCount; part += ${shares}u) {
    ${takePart}
  }
  ${saveShare}
  if (share > 0u || at_0 >= run.targetCount) { return; }
  ${takeShares}
  ${target}
  ${settled}
  ${fold.finish(0, 'at_0', scale)}
}
`
  return shader(
    {
      label,
      resources: [...texts.resources, ...outputsOf(fold, true)],
      fields,
      workgroup,
      memory: shares > 1 ? 4 * workgroup * fold.words : 0,
    },
    body,
    texts.functions,
  )
}

const alone = { memory: '', saveShare: '', takeShares: '' }

/** The invocations that share a target leave their folds in workgroup memory; the first of them merges all. */
function shared(fold: Fold, workgroup: number): typeof alone {
  const place = (word: string, lane: string) => `shared_words[${word} * ${workgroup}u + ${lane}]`
  return {
    memory: `var<workgroup> shared_words: array<u32, ${workgroup * fold.words}>;`,
    saveShare: wgsl`
${fold.save(0, (word, value) => `${place(word, 'lane')} = ${value};`)}
workgroupBarrier();`,
    takeShares: wgsl`
for (var place = lane + ${members}u; place < ${workgroup}u; place += ${members}u) {
  ${fold.merge(0, (word) => place(word, 'place'))}
}`,
  }
}
