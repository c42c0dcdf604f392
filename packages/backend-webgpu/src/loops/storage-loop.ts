/**
 * The pair loop that reads sources straight from storage, in WGSL: one load for each source and invocation. A grid of fixed
 * size goes on to further targets in strides.
 *
 * @module
 */

import type { LoopParts } from '../parts/loop-parts.ts'
import { type LoopShape, targetsPerGroup } from '../parts/loop-shape.ts'
import { declare, loadSource } from '../parts/source-texts.ts'
import { wgsl } from '../wgsl/wgsl.ts'

/** Sources of a block, where no tile gives the measure. */
export const blockLength = 256

export function storageLoop(parts: LoopParts): string {
  const { texts, shape, functions, targets, inBlocks, open, close, visit, finish } = parts
  const source = declare('source', loadSource(texts, shape, 'j'))
  const visitRange = (first: string, last: string) => wgsl`
for (var j = ${first}; j < ${last}; j++) {
  ${source}
  ${visit}
}`
  const visitBlocks = wgsl`
for (var start = firstSource; start < lastSource; start += ${blockLength}u) {
  let end = min(start + ${blockLength}u, lastSource);
  ${open}
  ${visitRange('start', 'end')}
  ${close}
}`
  const visitSources = inBlocks ? visitBlocks : visitRange('firstSource', 'lastSource')
  const [forEachBlock, endEach] = overBlocks(shape)
  return wgsl`
${functions}
@compute @workgroup_size(${shape.workgroup})
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let firstSource = run.sourceFirst + group.y * run.chunk;
  let lastSource = min(firstSource + run.chunk, run.sourceLast);
  ${forEachBlock}
  ${targets}
  ${visitSources}
  ${finish}
  ${endEach}
}
`
}

/** Begins and ends what a workgroup does with a block of targets. */
const overBlocks = (shape: LoopShape): readonly [begin: string, end: string] =>
  shape.gridStride
    ? [`for (var block = group.x; block * ${targetsPerGroup(shape)}u < run.targetCount; block += groups.x) {`, '}']
    : ['let block = group.x + group.z * groups.x;', '']
