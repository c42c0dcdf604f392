/**
 * The loop over pairs within a cutoff by Verlet lists, in WGSL. `cell-loop.ts` builds the lists.
 *
 * Lists only filter pairs; the cutoff is still tested for every pair. The lists of neighbouring places lie side by side, so that a subgroup
 * reads consecutive words.
 *
 * @module
 */
import { axesOf } from '@manybody/core/backend'
import type { LoopShape } from '../../design/loop-shape.ts'
import type { Shader } from '../../design/shader.ts'
import { type BoxSpace, lengthFields } from '../../design/space.ts'
import { listedAt, listFields, listLength, listsArray } from '../../design/verlet-layout.ts'
import { wgsl } from '../../design/wgsl.ts'
import { range } from '../folds/fold.ts'
import { blockFields, carryField, reachField } from '../parts/block-fields.ts'
import { finish } from '../parts/finish.ts'
import { orderedTarget } from '../parts/gathered-tile.ts'
import { gatheringOf } from '../parts/gathering.ts'
import { ownList } from '../parts/list-building.ts'
import { listedFunction, type PairTexts } from '../parts/pair-texts.ts'
import { sharingOf } from '../parts/slices.ts'
import { declare, loadSource } from '../parts/source-texts.ts'
import { withoutCell } from '../ranges/inside-box.ts'
import { insideOf, vectorOf } from '../ranges/space.ts'
import { whenRound } from '../ranges/when.ts'
import { shader } from '../wgsl/shader.ts'
import type { CellLoopOptions } from './cell-loop.ts'
import { packedArray } from './pack.ts'
import { outputsOf } from './pair-loop.ts'

export function verletLoop(label: string, options: Omit<CellLoopOptions, 'sameSet' | 'lists'>): Shader {
  const { texts, fold, shape, space, exclusions, run } = options
  const sharing = sharingOf(fold, shape)
  const gathering = gatheringOf(fold, shape)
  const { memory } = fold
  const axes = axesOf(space.dimension)
  const { type, parts } = vectorOf(space)
  const when = whenRound('listed')
  const place = `packed[${texts.record.length}u * min(place_0, run.targetCount - 1u)].${parts}`
  const foldMemory = memory ? `var<workgroup> ${memory.name}: array<${memory.type}, ${memory.length}>;` : ''
  const listing = exclusions ? listedFunction : ''
  const body = wgsl`
${sharing.memory}
${foldMemory}
${insideOf(space).functions}
${nearestFunction(space)}
${listing}
@compute @workgroup_size(${shape.workgroup})
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  ${when.start}
  ${sharing.declare}
  let block = run.groupFirst + group.x + group.z * groups.x;
  if (block >= run.groupLast) { return; }
  ${orderedTarget(texts, shape, sharing, 0, gathering.declare(0), { vector: place, axes })}
  let visits = at_0 < run.targetCount && !${withoutCell(space, 'inside_0')};
  let list = ${ownList(shape)};
  let length = select(0u, ${listLength('list')}, visits);
  let whole = ${anyFull(shape)};
  {
    ${gathering.open(0)}
    if (whole && visits) {
      for (var at = ${sharing.first}; at < run.sourceCount; at += ${shape.slices}u) ${visitSource(texts, nearestImage(space))}
    } else if (all(inside_0 >= ${type}(run.reach)) && all(inside_0 <= lengths() - run.reach)) {
      // No image of a source matters to a target that is far from all faces.
      ${visitList(texts, shape, '')}
    } else {
      ${visitList(texts, shape, nearestImage(space))}
    }
    ${gathering.close(0)}
  }
  ${gathering.total(0)}
  ${finish({ texts, fold, shape, each: [0], exclusions, look: undefined, sharing, resumes: false })}
}
`
  return shader(
    {
      label,
      resources: [
        ...texts.resources,
        { key: 'order', access: 'read', type: 'u32' },
        packedArray('read'),
        listsArray('read'),
        ...outputsOf(fold, false),
        ...when.resources,
      ],
      fields: [...blockFields, carryField, reachField, ...listFields, ...lengthFields(space), ...run],
      workgroup: shape.workgroup,
      memory: (shape.slices > 1 ? 4 * shape.workgroup * fold.words : 0) + 4 * (memory?.length ?? 0),
    },
    body,
  )
}

/**
 * Whether a list of the target is full, so that it lacks sources. That happens only where carried positions crowd that another device
 * could list, and in one round: then the target visits all sources.
 */
const anyFull = ({ slices }: LoopShape): string =>
  range(slices)
    .map((n) => `${listLength(`${n}u * run.targetCount + min(place_0, run.targetCount - 1u)`)} > run.mostListed`)
    .join(' || ')

/** Visits the source at the place `at`. @param image moves the target to the image nearest to the source */
function visitSource(texts: PairTexts, image: string): string {
  const index = texts.needsIndex ? 'let j = order[run.sourceOrder + at];' : ''
  return wgsl`{
  ${declare('source', loadSource(texts, { packed: true }, 'at'))}
  ${image}
  ${index}
  ${texts.pair(0)}
}`
}

/** Visits the sources of the list, four at a time where a device unrolls loops, because it then loads them together. */
function visitList(texts: PairTexts, { unroll }: LoopShape, image: string): string {
  const visit = (at: string) => wgsl`{
  let at = ${at};
  ${visitSource(texts, image)}
}`
  const together =
    unroll > 1
      ? wgsl`for (; next + 3u < length; next += 4u) {
  let four = ${listedAt('next', 'list')};
  ${['four.x', 'four.y', 'four.z', 'four.w'].map(visit)}
}`
      : ''
  return wgsl`var next = 0u;
${together}
for (; next < length; next++) ${visit(`${listedAt('next', 'list')}[next % 4u]`)}`
}

/** A function that gives the image of a target that is nearest to a source. */
function nearestFunction(space: BoxSpace): string {
  const { type } = vectorOf(space)
  const perLengths = `${type}(${axesOf(space.dimension)
    .map((axis) => `run.perLength_${axis}`)
    .join(', ')})`
  return wgsl`fn nearestImage(x: ${type}, source: ${type}) -> ${type} {
  return x + lengths() * round((source - x) * ${perLengths});
}`
}

function nearestImage(space: BoxSpace): string {
  const { parts } = vectorOf(space)
  return wgsl`let shifted = nearestImage(inside_0, source.${parts});
${axesOf(space.dimension).map((axis) => `let ${axis}i_0 = shifted.${axis};`)}`
}
