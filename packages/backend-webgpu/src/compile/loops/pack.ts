/**
 * Packs sources for vectorised loads, in WGSL: computes the numbers that a pair reads of its source once, and stores them
 * side by side as vec4f, `[source, vector]`. It has one invocation per source, and runs before the pair loops that read the
 * packed sources.
 *
 * @module
 */

import type { Field, Resource, Shader } from '../../design/shader.ts'
import { wgsl } from '../../design/wgsl.ts'
import type { PairTexts } from '../parts/pair-texts.ts'
import { storeSource } from '../parts/source-texts.ts'
import { shader } from '../wgsl/shader.ts'

const workgroup = 64

export const packedArray = (access: Resource['access']): Resource => ({ key: 'packed', access, type: 'vec4f' })

/** Bytes of one packed source. */
export const packedBytes = ({ record }: Pick<PairTexts, 'record'>): number => 16 * record.length

export function pack(
  label: string,
  texts: Pick<PairTexts, 'resources' | 'functions' | 'record' | 'loadSource'>,
  fields: readonly Field[],
): Shader {
  const body = wgsl`@compute @workgroup_size(${workgroup})
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let j = run.sourceFirst + (group.x + group.z * groups.x) * ${workgroup}u + lane;
  if (j >= run.sourceLast) { return; }
  ${storeSource(texts, texts.loadSource('j'), 'j')}
}
`
  const resources = [...texts.resources, packedArray('read_write')]
  return shader({ label, resources, fields, workgroup }, body, texts.functions)
}
