/**
 * The second reduction: partial folds of the parts that a grid split its sources into become results.
 * One invocation a target; the partial array is `[part, word, target]`, so that neighbours read neighbours.
 *
 * @module
 */
import type { Fold } from './folds.ts'
import { outputsOf } from './pair-loop.ts'
import type { PairTexts } from './pair-texts.ts'
import { type Field, indent, type Shader, shader } from './shader.ts'

const workgroup = 64

export function combine(
  label: string,
  texts: Pick<PairTexts, 'resources' | 'loadTarget' | 'scale'>,
  fold: Fold,
  fields: readonly Field[],
): Shader {
  const scaled = texts.scale(0) !== undefined
  const read = (word: string) => `partial[(part * ${fold.words}u + ${word}) * run.targetCount + at_0]`
  const body = `
@compute @workgroup_size(${workgroup})
fn main(@builtin(global_invocation_id) invocation: vec3u) {
  let at_0 = invocation.x + ${workgroup * 65535}u * invocation.y;
  if (at_0 >= run.targetCount) { return; }
  ${scaled ? `let i_0 = run.targetFirst + at_0;\n  ${indent(texts.loadTarget(0), 1)}` : ''}
  ${indent(fold.declare(0), 1)}
  for (var part = 0u; part < run.parts; part++) {
    ${indent(fold.merge(0, read), 2)}
  }
  ${indent(fold.finish(0, 'at_0', texts.scale(0)), 1)}
}
`
  return shader(
    {
      label,
      resources: [...texts.resources, ...outputsOf(fold, true)],
      fields,
      workgroup,
    },
    body.replace(/^\s*\n/gm, ''),
  )
}

export const combineGroups = (targets: number): readonly [number, number, number] => {
  const groups = Math.ceil(targets / workgroup)
  return [Math.min(groups, 65535), Math.ceil(groups / 65535), 1]
}
