/**
 * The tiled pair loop in WGSL, as in GPU Gems 3, chapter 31. The invocations of a workgroup together load a tile of sources
 * into workgroup memory. Then each visits the whole tile with the targets that it keeps in registers.
 *
 * @module
 */

import { wgsl } from '../../design/wgsl.ts'
import { range } from '../folds/fold.ts'
import { lookedStep, looksFirst } from '../parts/looks.ts'
import type { LoopParts } from '../parts/loop-parts.ts'
import { vector } from '../parts/pair-texts.ts'
import { declare, loadSource, stepOf } from '../parts/source-texts.ts'

export function tiledLoop(parts: LoopParts): string {
  const { texts, shape, sharing, functions, targets, open, close, finish } = parts
  const { workgroup, slices, group } = shape
  const tile = texts.record.map((type, v) => `var<workgroup> tile${v}: array<${type}, ${workgroup}>;`)
  const { loadFirst, stageTile, loadNext } = slices > 1 ? stagingAhead(parts) : staging(parts)
  const { visitWholeTile, visitRest } = group > 0 ? groupsOfTile(parts) : tileAtOnce(parts)
  const [openBlock, closeBlock] = group > 0 ? ['', ''] : [open, close]
  return wgsl`
${tile}
${sharing.memory}
${functions}
@compute @workgroup_size(${workgroup})
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  ${sharing.declare}
  let firstSource = run.sourceFirst + group.y * run.chunk;
  let lastSource = min(firstSource + run.chunk, run.sourceLast);
  let block = group.x + group.z * groups.x;
  ${targets}
  ${loadFirst}
  for (var start = firstSource; start < lastSource; start += ${workgroup}u) {
    workgroupBarrier();
    ${stageTile}
    workgroupBarrier();
    ${loadNext}
    ${openBlock}
    if (start + ${workgroup}u <= lastSource) {
      ${visitWholeTile}
    } else {
      ${visitRest}
    }
    ${closeBlock}
  }
  ${finish}
}
`
}

interface Staging {
  readonly loadFirst: string
  readonly stageTile: string
  readonly loadNext: string
}

/** Each invocation loads one source of the tile. */
function staging({ texts, shape }: LoopParts): Staging {
  const store = loadSource(texts, shape, 'j').map((text, v) => `tile${v}[lane] = ${text};`)
  const stageTile = wgsl`if (start + lane < lastSource) {
  let j = start + lane;
  ${store}
}`
  return { loadFirst: '', stageTile, loadNext: '' }
}

/** Loads the next tile ahead. Plans use slices when workgroups are few, so that nothing else hides the latency of memory. */
function stagingAhead({ texts, shape }: LoopParts): Staging {
  const loads = loadSource(texts, shape, 'next')
  const load = (declaration: string, at: string) => wgsl`${declaration}next = min(${at}, lastSource - 1u);
${loads.map((text, v) => `${declaration}${vector('ahead', v)} = ${text};`)}`
  return {
    loadFirst: load('var ', 'firstSource + lane'),
    stageTile: texts.record.map((_, v) => `tile${v}[lane] = ${vector('ahead', v)};`).join('\n'),
    loadNext: load('', `start + ${shape.workgroup}u + lane`),
  }
}

interface Visits {
  readonly visitWholeTile: string
  readonly visitRest: string
}

function tileAtOnce(parts: LoopParts): Visits {
  const { texts, look, shape, sharing, each } = parts
  const { workgroup, slices, unroll } = shape
  const { place, first, next } = sharing
  const visitSteps = range(unroll).map((u) => visitAt(parts, place(stepOf(u, shape))))
  const looks = look && looksFirst(shape, look)
  const steps = looks ? lookedStep(look, texts, each, shape, place, (at) => fromTile(parts, at)) : visitSteps
  return {
    visitWholeTile: wgsl`
// With a constant trip count and a step of 1, the compiler can prove the bounds of the tile.
for (var turn = 0u; turn < ${workgroup / slices / unroll}u; turn++) {
  ${steps}
}`,
    visitRest: wgsl`
for (var at = ${first}; at < lastSource - start; ${next}) {
  ${visitAt(parts, 'at')}
}`,
  }
}

/** Visits the tile group by group; each group is one block. */
function groupsOfTile(parts: LoopParts): Visits {
  const { shape, open, close } = parts
  const { workgroup, group, unroll } = shape
  const steps = range(unroll).map((u) => visitAt(parts, `g * ${group}u + ${stepOf(u, shape)}`))
  return {
    visitWholeTile: wgsl`
for (var g = 0u; g < ${workgroup / group}u; g++) {
  let first = start + g * ${group}u;
  ${open}
  for (var turn = 0u; turn < ${group / unroll}u; turn++) {
    ${steps}
  }
  ${close}
}`,
    visitRest: wgsl`
for (var first = start; first < lastSource; first += ${group}u) {
  ${open}
  for (var at = first - start; at < min(first + ${group}u, lastSource) - start; at++) {
    ${visitAt(parts, 'at')}
  }
  ${close}
}`,
  }
}

function fromTile({ texts }: LoopParts, at: string): string {
  return declare(
    'source',
    texts.record.map((_, v) => `tile${v}[${at}]`),
  )
}

/** Visits the source at a place in the tile, with all targets of the invocation. */
function visitAt(parts: LoopParts, at: string): string {
  const { texts, visit } = parts
  const index = texts.needsIndex ? `let j = start + ${at};` : ''
  return wgsl`{
  ${fromTile(parts, at)}
  ${index}
  ${visit}
}`
}
