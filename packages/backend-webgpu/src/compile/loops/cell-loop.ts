/**
 * The loop over pairs within a cutoff by a grid of cells, in WGSL. A target visits the sources of the rows of cells within its reach.
 *
 * Rows and cells only filter pairs; the cutoff is still tested for every pair. A target with a coordinate that is not finite, or that
 * float32 cannot bring into the box, visits nothing.
 *
 * @module
 */
import { axesOf } from '@manybody/core/backend'
import { gridFields } from '../../design/cell-layout.ts'
import type { LoopShape } from '../../design/loop-shape.ts'
import { arrayName, type Field, type Shader } from '../../design/shader.ts'
import { type BoxSpace, lengthFields } from '../../design/space.ts'
import { wgsl } from '../../design/wgsl.ts'
import type { Fold } from '../folds/fold.ts'
import { blockFields, carryField, reachField } from '../parts/block-fields.ts'
import { finish } from '../parts/finish.ts'
import { orderedTarget } from '../parts/gathered-tile.ts'
import { type Gathering, gatheringOf } from '../parts/gathering.ts'
import { type ListBuilding, listBuilding, mostBits } from '../parts/list-building.ts'
import { listedFunction, type PairTexts } from '../parts/pair-texts.ts'
import { sharingOf } from '../parts/slices.ts'
import { declare, loadSource } from '../parts/source-texts.ts'
import { type RowVisits, rangeFunctions, rowsWithin, visitRow } from '../ranges/cell-rows.ts'
import { startsField } from '../ranges/counting-sort.ts'
import { insideBox, withoutCell } from '../ranges/inside-box.ts'
import { insideOf, vectorOf } from '../ranges/space.ts'
import { shader } from '../wgsl/shader.ts'
import { packedArray } from './pack.ts'
import { outputsOf } from './pair-loop.ts'

const fields: readonly Field[] = [
  ...blockFields,
  carryField,
  reachField,
  { name: 'sumLength', type: 'u32', note: 'number of sources in a block of sums' },
]

export interface CellLoopOptions {
  readonly texts: PairTexts
  readonly fold: Fold
  readonly shape: LoopShape
  readonly space: BoxSpace
  readonly sameSet: boolean
  readonly exclusions: boolean
  readonly run: readonly Field[]
  /** Whether it builds Verlet lists, in rounds that do so. */
  readonly lists?: boolean
}

export function cellLoop(
  label: string,
  { texts, fold, shape, space, sameSet, exclusions, run, lists = false }: CellLoopOptions,
): Shader {
  const { workgroup, slices } = shape
  const sharing = sharingOf(fold, shape)
  const gathering = gatheringOf(fold, shape)
  const { memory } = fold
  const axes = axesOf(space.dimension)
  const vector = vectorOf(space)
  const counting = lists ? uncounted : counted
  const building = lists ? listBuilding(shape, vector.parts) : noLists
  const [firstRow, nextRow] = building.shares ? ['0u', 1] : [sharing.first, slices]
  const place = sameSet
    ? `packed[${texts.record.length}u * min(place_0, run.targetCount - 1u)].${vector.parts}`
    : insideBox(space, vector.load(arrayName('targets.position'), 'i_0'))
  const foldMemory = memory ? `var<workgroup> ${memory.name}: array<${memory.type}, ${memory.length}>;` : ''
  const moving = sameSet ? '' : insideOf(space).functions
  const listing = exclusions ? listedFunction : ''
  const body = wgsl`
${sharing.memory}
${foldMemory}
${counting.memory}
${moving}
${listing}
${rangeFunctions}
@compute @workgroup_size(${workgroup})
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  ${building.start}
  ${sharing.declare}
  let block = run.groupFirst + group.x + group.z * groups.x;
  if (block >= run.groupLast) { return; }
  ${orderedTarget(texts, shape, sharing, 0, gathering.declare(0), { vector: building.place(place), axes })}
  ${building.open}
  ${counting.open}
  {
    ${gathering.open(0)}
    var room = run.sumLength;
    let visits = at_0 < run.targetCount && !${withoutCell(space, 'inside_0')};
    ${rowsWithin(space, 'visits')}
    for (var row = ${firstRow}; row < rows; row += ${nextRow}u) {
      ${visitRow(space, visitsOf(texts, shape, gathering, building))}
    }
    ${gathering.close(0)}
  }
  ${building.close}
  ${counting.close}
  ${gathering.total(0)}
  ${finish({ texts, fold, shape, each: [0], exclusions, look: undefined, sharing, resumes: false })}
  ${counting.write}
}
`
  return shader(
    {
      label,
      resources: [
        ...texts.resources,
        { key: 'order', access: lists ? 'read' : 'read_write', type: 'u32' },
        packedArray('read'),
        ...outputsOf(fold, false),
        ...building.resources,
      ],
      fields: [
        ...fields,
        startsField,
        ...gridFields(space.dimension),
        ...lengthFields(space),
        ...building.fields,
        ...run,
      ],
      workgroup,
      memory: (lists ? 0 : 4) + (slices > 1 ? 4 * workgroup * fold.words : 0) + 4 * (memory?.length ?? 0),
    },
    body,
  )
}

/** How a workgroup counts the pairs that it visits, for the report of a run. Rounds of a sequence have none. */
const counted = {
  memory: 'var<workgroup> visited: atomic<u32>;',
  open: wgsl`if (lane == 0u) { atomicStore(&visited, 0u); }
workgroupBarrier();
var met = 0u;`,
  close: 'atomicAdd(&visited, met);',
  write: wgsl`workgroupBarrier();
if (lane == 0u) { order[run.evaluated + block] = atomicLoad(&visited); }`,
}
const uncounted = { memory: '', open: '', close: '', write: '' }

const noLists: ListBuilding = {
  ...{ resources: [], fields: [], shares: false },
  place: (now) => now,
  source: (texts) => loadSource(texts, { packed: true }, 'at')[0] as string,
  ...{ start: '', open: '', before: '', visit: '', after: '', close: '' },
}

/** Visits pairs, in blocks of sums if the fold has these, and in short parts if it builds lists. */
function visitsOf(
  texts: PairTexts,
  { unroll, slices }: LoopShape,
  { inBlocks, close, reopen }: Gathering,
  { source, before, visit, after, shares }: ListBuilding,
): RowVisits {
  const index = texts.needsIndex ? 'let j = order[run.sourceOrder + at];' : ''
  const ends = [...(inBlocks ? ['next + room'] : []), ...(before ? [`next + ${mostBits * slices}u`] : [])]
  const sum = wgsl`
if (room == 0u) {
  ${close(0)}
  ${reopen(0)}
  room = run.sumLength;
}`
  return {
    unroll,
    meets: shares ? '' : 'met += last - next;',
    sharers: shares ? slices : 1,
    visit: (behind) => wgsl`{
  let at = next + ${behind}u;
  ${declare('source', [source(texts), ...loadSource(texts, { packed: true }, 'at').slice(1)])}
  ${index}
  ${visit}
  ${texts.pair(0)}
}`,
    end: ends.reduce((end, other) => `min(${end}, ${other})`, 'last'),
    before: [...(inBlocks ? ['room -= end - next;'] : []), before],
    after: [...(inBlocks ? [sum] : []), after],
  }
}
