/**
 * The loop over pairs within a cutoff, in WGSL. A workgroup has some blocks of targets. It walks the tree of boxes over the
 * sources and gathers the sources within reach of its targets in a tile. It visits full tiles like the tiled loop.
 *
 * Sources come in the order of their blocks, but results are written directly to the places of their points. The boxes only
 * filter pairs; the cutoff is still tested for every pair.
 *
 * @module
 */
import { axesOf, blockPoints } from '@manybody/core/backend'
import { type LoopShape, targetsPerGroup, tileLength, tilesPerSum } from '../../design/loop-shape.ts'
import type { Field, Shader } from '../../design/shader.ts'
import { wgsl } from '../../design/wgsl.ts'
import { type Fold, largest, range } from '../folds/fold.ts'
import { blockFields, carryField } from '../parts/block-fields.ts'
import { finish } from '../parts/finish.ts'
import { orderedTarget, type TileTexts, tileBytes, tileTexts, visitTile } from '../parts/gathered-tile.ts'
import { gatheringOf } from '../parts/gathering.ts'
import type { LookTexts } from '../parts/looks.ts'
import { listedFunction, type PairTexts, vector } from '../parts/pair-texts.ts'
import { sharingOf } from '../parts/slices.ts'
import { declare, loadSource, pairs, stepOf } from '../parts/source-texts.ts'
import { sizesField } from '../ranges/boxes.ts'
import {
  boxAround,
  listLength,
  tested,
  type WalkShape,
  walk,
  walkBytes,
  walkFields,
  walkFunctions,
} from '../ranges/cutoff-walk.ts'
import { gridField, gridFunctions, isEven, strayGroup } from '../ranges/even-grid.ts'
import { narrow, startReach } from '../ranges/narrowing.ts'
import { insideOf, vectorOf } from '../ranges/space.ts'
import { shader } from '../wgsl/shader.ts'
import { packedArray } from './pack.ts'
import { outputsOf } from './pair-loop.ts'

/** Bytes of workgroup memory, without the memory for merging slices. */
export const blockLoopBytes = (texts: Pick<PairTexts, 'record'>, walk: WalkShape): number =>
  tileBytes(texts, tileLength(walk.workgroup)) + walkBytes(walk)

const fields: readonly Field[] = [
  ...blockFields,
  { name: 'targetBoxes', type: 'u32', note: 'the first box of the targets; that of the sources is 0' },
  carryField,
]

export interface BlockLoopOptions {
  readonly texts: PairTexts
  readonly fold: Fold
  /** The cheap test of sources before the fold visits some of them, if the fold has such a test and needs no settling. */
  readonly look: LookTexts | undefined
  readonly shape: LoopShape
  readonly walk: WalkShape
  readonly exclusions: boolean
  readonly run: readonly Field[]
  /** Whether another loop visits sources that are spread evenly. */
  readonly unlessEven: boolean
}

export function blockLoop(
  label: string,
  { texts, fold, look, shape, walk: walked, exclusions, run, unlessEven }: BlockLoopOptions,
): Shader {
  const { workgroup, slices } = shape
  const each = range(shape.targets)
  const sharing = sharingOf(fold, shape)
  const { inBlocks, open, close, reopen, total, declare: gathered } = gatheringOf(fold, shape)
  const perGroup = targetsPerGroup(shape)
  const length = tileLength(workgroup)
  const tiled = tileTexts(texts, length)
  const keepIndex = texts.needsIndex ? 'tileIndex[held + place] = order[run.sourceOrder + sourcePlace];' : ''
  const { space } = walked
  const { parts, extended } = vectorOf(space)
  const inBlock = `near0[min(entry / ${blockPoints}u, ${listLength(walked, 0) - 1}u)] * ${blockPoints}u + entry % ${blockPoints}u`
  const sourceSize = walked.bySizes ? 'packed[run.sizes + sourcePlace / 4u][sourcePlace % 4u]' : undefined
  // The largest coordinate of the source's block is at least as large as its own.
  const size = walked.sized ? `boxAt(sourcePlace / ${blockPoints}u).low.w` : '0.0'
  const functions = exclusions ? listedFunction : ''
  const visit = look ? lookingVisit(look, texts, shape, tiled) : visitTile(texts, shape, sharing, tiled)
  const afterTile = wgsl`tiles += 1u;
if (tiles == ${tilesPerSum(workgroup)}u) {
  ${each.map(close)}
  ${each.map(reopen)}
  tiles = 0u;
}`
  const [declareTiles, closeSums] = inBlocks ? ['var tiles = 0u;', afterTile] : ['', '']
  const { farthest, memory, passes } = fold
  const foldMemory = memory ? `var<workgroup> ${memory.name}: array<${memory.type}, ${memory.length}>;` : ''
  const { narrowing } = walked
  const point = `${vectorOf(space).type}(${axesOf(space.dimension)
    .map((axis) => `${axis}i_0`)
    .join(', ')})`
  const [startedReach, narrowed] =
    narrowing && farthest
      ? [startReach(space, sharing, point), narrow(narrowing, sharing, farthest(0), largest)]
      : ['', '']
  const keepSource = wgsl`
${texts.record.map((_, v) => `tile${v}[held + place] = ${vector('source', v)};`)}
${keepIndex}`
  const gatherSources = wgsl`
let entries = queued * ${blockPoints}u;
for (var step = 0u; step < select(entries, 1u, flush && entries == 0u); step += ${workgroup}u) {
  let entry = step + lane;
  let sourcePlace = ${inBlock};
  ${declare('source', loadSource(texts, { packed: true }, 'sourcePlace'))}
  let point = ${insideOf(space).of(`source.${parts}`)};
  let alone = Box(${extended('point', size)}, ${extended('point', sourceSize)});
  ${tested(`entry < entries && sourcePlace < run.sourceCount && !beyond(around, alone)`, keepSource, 'more')}
  held += more;
  met += more;
  if (held >= ${workgroup}u || (flush && step + ${workgroup}u >= entries)) {
    ${visit}
    held = 0u;
    ${closeSums}
    ${narrowed}
  }
}`
  const pass = wgsl`${startedReach}
{
  ${each.map(open)}
  ${declareTiles}
  ${walk(walked, `(run.sourceCount + ${blockPoints - 1}u) / ${blockPoints}u`, gatherSources)}
  ${each.map(close)}
}`
  const [grid, leave] = unlessEven
    ? [
        gridFunctions(space, 'order'),
        wgsl`if (lane == 0u) { kept = select(0u, 1u, run.sourceCount > 0u && ${isEven} && order[run.evaluated + block] != ${strayGroup}u); }
if (workgroupUniformLoad(&kept) == 1u) { return; }`,
      ]
    : ['', '']
  const body = wgsl`
${tiled.tile}
${sharing.memory}
${foldMemory}
${walkFunctions(walked)}
${functions}
${grid}
@compute @workgroup_size(${workgroup})
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  ${sharing.declare}
  let block = run.groupFirst + group.x + group.z * groups.x;
  if (block >= run.groupLast) { return; }
  ${leave}
  ${each.map((r) => orderedTarget(texts, shape, sharing, r, gathered(r)))}
  let blocksOfTargets = (run.targetCount + ${blockPoints - 1}u) / ${blockPoints}u;
  ${boxAround(`run.targetBoxes + block * ${perGroup / blockPoints}u`, perGroup / blockPoints, '(run.targetBoxes + blocksOfTargets)')}
  // The number of sources in the tile, and of all sources that were kept.
  var held = 0u;
  var met = 0u;
  ${inPasses(passes, each, pass)}
  if (lane == 0u) { order[run.evaluated + block] = met; }
  ${each.map(total)}
  ${finish({ texts, fold, shape, each, exclusions, look: undefined, sharing, resumes: false })}
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
      fields: [
        ...fields,
        ...walkFields(walked),
        ...(walked.bySizes ? [sizesField] : []),
        ...(unlessEven ? [gridField] : []),
        ...run,
      ],
      workgroup,
      memory: blockLoopBytes(texts, walked) + (slices > 1 ? 4 * workgroup * fold.words : 0) + 4 * (memory?.length ?? 0),
    },
    body,
  )
}

/** Meets all sources once, or as often as the fold asks. */
export const inPasses = (passes: Fold['passes'], each: readonly number[], pass: string): string =>
  passes
    ? wgsl`for (var passAt = 0u; passAt < ${passes.count}u; passAt++) {
  ${each.map(passes.begin)}
  ${pass}
}`
    : pass

/** Looks at some sources of the tile, and then visits the sources that the fold may keep. Places behind the last source are ignored. */
function lookingVisit(look: LookTexts, texts: PairTexts, shape: LoopShape, { fromTile, loadIndex }: TileTexts): string {
  const { slices, unroll, targets, workgroup } = shape
  const each = range(targets)
  const sources = Math.min(32, tileLength(workgroup) / slices)
  const atOnce = Math.min(unroll, sources)
  const slice = slices > 1 ? ' + slice' : ''
  const place = (u: string) => (slices > 1 ? `start + ${u} * ${slices}u` : `start + ${u}`)
  const index = look.texts.needsIndex ? loadIndex : ''
  const looks = range(atOnce).map(
    (u) => wgsl`{
  let u = ${stepOf(u, { unroll: atOnce })};
  let at = ${place('u')};
  let bit = 1u << u;
  ${fromTile}
  ${index}
  ${pairs(look.texts, each)}
}`,
  )
  const visit = (r: number) => (u: string) =>
    wgsl`let at = ${place(u)};
${fromTile}
${loadIndex}
${texts.pair(r)}`
  const step = { first: 'start', sources, skipSelf: look.skipSelf }
  return wgsl`for (var first = 0u; first < held; first += ${sources * slices}u) {
  let start = first${slice};
  ${each.map(look.open)}
  for (var turn = 0u; turn < ${sources / atOnce}u; turn++) {
    ${looks}
  }
  // The number of places of this slice that hold sources.
  let full = (max(held, start) - start + ${slices - 1}u) / ${slices}u;
  if (full < ${sources}u) { ${each.map((r) => `marks_${r} &= (1u << full) - 1u;`).join(' ')} }
  ${each.map((r) => look.close(r, { ...step, visit: visit(r) }))}
}`
}
