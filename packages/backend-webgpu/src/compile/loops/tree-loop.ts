/**
 * The loop for sums with a tolerance, in WGSL. A workgroup has some consecutive places of targets. It walks the tree over the
 * sources, and gathers near sources and the proxies of far nodes in a tile. Proxies are sources of the same law, so it visits
 * all alike.
 *
 * Results are written directly to the places of their points, as in the loop by blocks. Nodes with excluded sources are opened,
 * and their excluded pairs are skipped.
 *
 * @module
 */

import { type LoopShape, targetsPerGroup } from '../../design/loop-shape.ts'
import type { Field, Shader } from '../../design/shader.ts'
import { wgsl } from '../../design/wgsl.ts'
import { type Fold, range } from '../folds/fold.ts'
import { blockFields, carryField } from '../parts/block-fields.ts'
import { finish } from '../parts/finish.ts'
import { orderedTarget, tileBytes, tileTexts, visitTile } from '../parts/gathered-tile.ts'
import { gatheringOf } from '../parts/gathering.ts'
import { listedFunction, type PairTexts, vector } from '../parts/pair-texts.ts'
import { members, sharingOf } from '../parts/slices.ts'
import { declare, loadSource } from '../parts/source-texts.ts'
import { fillNodeSet, nodeSetBytes, nodeSetFields, nodeSetFunctions } from '../ranges/excluded-nodes.ts'
import { fieldBytes, fieldVariables, targetField } from '../ranges/opening-rule.ts'
import { leafPoints } from '../ranges/opening-tree.ts'
import {
  findLevels,
  type OpeningShape,
  openingBytes,
  openingFields,
  openingVariables,
  openingWalk,
} from '../ranges/opening-walk.ts'
import { vectorOf } from '../ranges/space.ts'
import { shader } from '../wgsl/shader.ts'
import { packedArray } from './pack.ts'
import { outputsOf } from './pair-loop.ts'

/** Number of sources in a tile for each invocation. */
const perInvocation = 4

const tileLength = ({ workgroup }: Pick<LoopShape, 'workgroup'>) => perInvocation * workgroup

/** Number of nodes in a queue: nodes that wait until they fill a tile, and the nodes of one round. A node has two sources at least. */
const queueLength = (shape: LoopShape) => tileLength(shape) / 2 + shape.workgroup

/** The most terms of a target that one invocation adds one after the other. */
export const treeChain = (shape: LoopShape): number => tileLength(shape) / shape.slices

/** Bytes of workgroup memory, without the memory for merging slices. */
const treeLoopBytes = (texts: Pick<PairTexts, 'record'>, shape: LoopShape, walk: OpeningShape): number =>
  tileBytes(texts, tileLength(shape)) +
  32 * members(shape) +
  openingBytes(walk, queueLength(shape)) +
  (walk.byField ? fieldBytes : 0) +
  (walk.exclusions ? nodeSetBytes : 0)

const fields: readonly Field[] = [
  ...blockFields,
  { name: 'proxyFirst', type: 'u32', note: 'the place of the first proxy among the sources' },
  { name: 'scheme', type: 'u32', note: 'where packed has the number of proxies of a node' },
  carryField,
]

export interface TreeLoopOptions {
  readonly texts: PairTexts
  readonly fold: Fold
  readonly shape: LoopShape
  readonly walk: OpeningShape
  readonly run: readonly Field[]
}

export function treeLoop(label: string, { texts, fold, shape, walk, run }: TreeLoopOptions): Shader {
  const { workgroup, slices } = shape
  const each = range(shape.targets)
  const sharing = sharingOf(fold, shape)
  const { open, close, reopen, total, declare: gathered } = gatheringOf(fold, shape)
  const length = tileLength(shape)
  const queue = queueLength(shape)
  const { parts, extended } = vectorOf({ dimension: walk.dimension, periodic: false })
  const tiled = tileTexts(texts, length)
  const [functions, fill] = walk.exclusions
    ? [[listedFunction, nodeSetFunctions], fillNodeSet(workgroup, targetsPerGroup(shape))]
    : [[], '']
  const [fieldVars, field] = walk.byField
    ? [fieldVariables, targetField(walk.dimension, targetsPerGroup(shape))]
    : ['', 'let opening2 = run.opening2;']
  const keepIndex = texts.needsIndex
    ? wgsl`// Proxies, and places after the last, are no point.
if (source < run.sourceCount) { tileIndex[entry - base] = order[run.sourceOrder + source]; } else { tileIndex[entry - base] = 0xffffffffu; }`
    : ''
  const load = wgsl`
let sourcePlace = source;
${declare('source', loadSource(texts, { packed: true }, 'sourcePlace'))}
${texts.record.map((_, v) => `tile${v}[entry - base] = ${vector('source', v)};`)}`
  const takeQueued = wgsl`
for (var ofFar = 0u; ofFar < 2u; ofFar++) {
  let size = select(${leafPoints}u, proxySize, ofFar == 1u);
  let entries = size * select(queuedNear, queuedFar, ofFar == 1u);
  if (entries < ${length}u && !last) { continue; }
  for (var base = 0u; base < entries; base += ${length}u) {
    let held = min(entries - base, ${length}u);
    for (var entry = base + lane; entry < base + held; entry += ${workgroup}u) {
      let item = u32((f32(entry) + 0.5) / f32(size));
      let queued = queue[ofFar * ${queue}u + item];
      let source = entry - item * size + select(${leafPoints}u * queued, run.proxyFirst + (queued - run.proxied) * size, ofFar == 1u);
      ${keepIndex}
      {
        ${load}
      }
    }
    workgroupBarrier();
    ${visitTile(texts, shape, sharing, tiled)}
    workgroupBarrier();
    ${each.map(close)}
    ${each.map(reopen)}
  }
  met += entries;
  if (ofFar == 1u) { queuedFar = 0u; } else { queuedNear = 0u; }
}`
  const reach = each.map(
    (r) => wgsl`
lowest = min(lowest, ${extended(`vec${walk.dimension}f(${targetAt(parts, r)})`)});
highest = max(highest, ${extended(`vec${walk.dimension}f(${targetAt(parts, r)})`)});`,
  )
  const body = wgsl`
${tiled.tile}
${sharing.memory}
${openingVariables(walk, queue)}
${fieldVars}
${functions}
// The boxes around the targets of each member.
var<workgroup> lows: array<vec4f, ${members(shape)}>;
var<workgroup> highs: array<vec4f, ${members(shape)}>;
@compute @workgroup_size(${workgroup})
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  ${sharing.declare}
  let block = run.groupFirst + group.x + group.z * groups.x;
  if (block >= run.groupLast) { return; }
  ${findLevels}
  ${each.map((r) => orderedTarget(texts, shape, sharing, r, gathered(r)))}
  var lowest = vec4f(3.4028234e38);
  var highest = vec4f(-3.4028234e38);
  ${reach}
  if (lane < ${members(shape)}u) {
    lows[lane] = lowest;
    highs[lane] = highest;
  }
  workgroupBarrier();
  for (var n = 0u; n < ${members(shape)}u; n++) {
    lowest = min(lowest, lows[n]);
    highest = max(highest, highs[n]);
  }
  let around = 0.5 * (lowest.${parts} + highest.${parts});
  let halfAround = 0.5 * (highest.${parts} - lowest.${parts});
  ${field}
  let proxySize = u32(packed[run.scheme].x);
  ${fill}
  // The number of sources and proxies that the targets met.
  var met = 0u;
  {
    ${each.map(open)}
    ${openingWalk(walk, queue, takeQueued)}
    ${each.map(close)}
  }
  if (lane == 0u) { order[run.evaluated + block] = met; }
  ${each.map(total)}
  ${finish({ texts, fold, shape, each, exclusions: false, look: undefined, sharing, resumes: false })}
}
`
  return shader(
    {
      label,
      resources: [
        ...texts.resources,
        { key: 'order', access: 'read_write', type: 'u32' },
        packedArray('read'),
        ...outputsOf(fold, false),
      ],
      fields: [...fields, ...openingFields, ...(walk.exclusions ? nodeSetFields : []), ...run],
      workgroup,
      memory: treeLoopBytes(texts, shape, walk) + (slices > 1 ? 4 * workgroup * fold.words : 0),
    },
    body,
  )
}

const targetAt = (parts: string, r: number) => [...parts].map((axis) => `${axis}i_${r}`).join(', ')
