/**
 * The pair loop that reads sources directly from storage, in WGSL: each invocation loads every source. With `gridStride`, a
 * grid of fixed size continues with further targets in strides.
 *
 * @module
 */

import { blockLength, type LoopShape, targetsPerGroup } from '../../design/loop-shape.ts'
import { wgsl } from '../../design/wgsl.ts'
import type { LoopParts } from '../parts/loop-parts.ts'
import { declare, loadSource } from '../parts/source-texts.ts'

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

/** The code around the work of a workgroup on a block of targets. */
const overBlocks = (shape: LoopShape): readonly [begin: string, end: string] =>
  shape.gridStride
    ? [`for (var block = group.x; block * ${targetsPerGroup(shape)}u < run.targetCount; block += groups.x) {`, '}']
    : ['let block = group.x + group.z * groups.x;', '']
