/**
 * The second reduction: partial folds of the parts that a grid split its sources into become results.
 * The partial array is `[part, word, target]`, so that neighbours read neighbours; where there is workgroup memory for
 * it, several invocations share the parts of a target, as a few targets alone would not keep a device busy.
 *
 * @module
 */
import type { Fold } from './fold.ts'
import { outputsOf } from './pair-loop.ts'
import type { PairTexts } from './pair-texts.ts'
import { type Field, indent, type Shader, shader } from './shader.ts'

/** Targets of a workgroup. */
const members = 32
/** Invocations that share the parts of a target, at most: 256 in a workgroup are within every device's limits. */
const mostShares = 8
/** Bytes of workgroup memory for them. */
const mostBytes = 16384

export function combine(
  label: string,
  texts: Pick<PairTexts, 'resources' | 'loadTarget' | 'scale'>,
  fold: Fold,
  fields: readonly Field[],
  /** Finds the source of what the loop left unsettled, then takes in earlier results. */
  settle?: string,
): Shader {
  const shares = 4 * fold.words * members * mostShares <= mostBytes ? mostShares : 1
  const workgroup = members * shares
  const scaled = texts.scale(0) !== undefined
  const part = (word: string) => `partial[(part * ${fold.words}u + ${word}) * run.targetCount + at_0]`
  const shared = (word: string, lane: string) => `shared_words[${word} * ${workgroup}u + ${lane}]`
  const body = `${shares > 1 ? `var<workgroup> shared_words: array<u32, ${workgroup * fold.words}>;` : ''}
@compute @workgroup_size(${workgroup})
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let share = lane / ${members}u;
  let at_0 = (group.x + 65535u * group.y) * ${members}u + lane % ${members}u;
  ${indent(fold.declare(0), 1)}
  for (var part = share; part < run.parts && at_0 < run.targetCount; part += ${shares}u) {
    ${indent(fold.merge(0, part), 2)}
  }
  ${
    shares > 1
      ? `${indent(
          fold.save(0, (word, value) => `${shared(word, 'lane')} = ${value};`),
          1,
        )}
  workgroupBarrier();`
      : ''
  }
  if (share > 0u || at_0 >= run.targetCount) { return; }
  ${
    shares > 1
      ? `for (var place = lane + ${members}u; place < ${workgroup}u; place += ${members}u) {
    ${indent(
      fold.merge(0, (word) => shared(word, 'place')),
      2,
    )}
  }`
      : ''
  }
  ${scaled || settle ? `let i_0 = run.targetFirst + at_0;\n  ${indent(texts.loadTarget(0), 1)}` : ''}
  ${settle ? indent([settle, `if (run.carry == 1u) { ${fold.resume(0, 'at_0')} }`], 1) : ''}
  ${indent(fold.finish(0, 'at_0', texts.scale(0)), 1)}
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
    body.replace(/^\s*\n/gm, ''),
  )
}

export const combineGroups = (targets: number): readonly [number, number, number] => {
  const groups = Math.ceil(targets / members)
  return [Math.min(groups, 65535), Math.ceil(groups / 65535), 1]
}
