/**
 * The pair loop over the registers of a subgroup, in WGSL: each invocation loads one source of a row, and the others read it
 * from its register in turn. It needs neither workgroup memory nor barriers.
 *
 * @module
 */

import { wgsl } from '../../design/wgsl.ts'
import { range } from '../folds/fold.ts'
import type { LoopParts } from '../parts/loop-parts.ts'
import { vector } from '../parts/pair-texts.ts'
import { declare, loadSource, stepOf } from '../parts/source-texts.ts'

export function subgroupLoop(parts: LoopParts): string {
  const { texts, shape, functions, targets, inBlocks, open, close, finish } = parts
  const { workgroup, unroll } = shape
  const load = declare('own', loadSource(texts, shape, 'next'))
  const steps = range(unroll).map((u) => visitAt(parts, stepOf(u, shape)))
  const turns = unroll > 1 ? `subgroupSize / ${unroll}u` : 'subgroupSize'
  const visitRows = (first: string, last: string) => wgsl`
for (var row = ${first}; row < ${last}; row += subgroupSize) {
  // Beyond the last source, the last is loaded again but not visited.
  let next = min(row + subgroupLane, lastSource - 1u);
  ${load}
  if (row + subgroupSize <= lastSource) {
    for (var turn = 0u; turn < ${turns}; turn++) {
      ${steps}
    }
  } else {
    for (var at = 0u; at < lastSource - row; at++) {
      ${visitAt(parts, 'at')}
    }
  }
}`
  const visitBlocks = wgsl`
for (var start = firstSource; start < lastSource; start += ${workgroup}u) {
  ${open}
  ${visitRows('start', `min(start + ${workgroup}u, lastSource)`)}
  ${close}
}`
  const visitSources = inBlocks ? visitBlocks : visitRows('firstSource', 'lastSource')
  return wgsl`
${functions}
@compute @workgroup_size(${workgroup})
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
  @builtin(subgroup_invocation_id) subgroupLane: u32,
  @builtin(subgroup_size) subgroupSize: u32,
) {
  let firstSource = run.sourceFirst + group.y * run.chunk;
  let lastSource = min(firstSource + run.chunk, run.sourceLast);
  let block = group.x + group.z * groups.x;
  ${targets}
  ${visitSources}
  ${finish}
}
`
}

/** Visits the source that lane `at` of the subgroup holds, with all targets of the invocation. */
function visitAt({ texts, visit }: LoopParts, at: string): string {
  const source = declare(
    'source',
    texts.record.map((_, v) => `subgroupShuffle(${vector('own', v)}, ${at})`),
  )
  const index = texts.needsIndex ? `let j = row + ${at};` : ''
  return wgsl`{
  ${source}
  ${index}
  ${visit}
}`
}
