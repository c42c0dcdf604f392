/**
 * The loop over pairs within a cutoff by a grid of cells, in WGSL. A target visits the sources of the cells within its reach,
 * row by row: the cells of a row have consecutive numbers, so their sources have consecutive places.
 *
 * The rows may lie beyond a face of the box. There the target is moved instead of the sources, so that displacements are
 * differences. A pair is within the cutoff in at most one row, because the cutoff is less than half the box.
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
import { blockFields, carryField } from '../parts/block-fields.ts'
import { finish } from '../parts/finish.ts'
import { orderedTarget } from '../parts/gathered-tile.ts'
import { type Gathering, gatheringOf } from '../parts/gathering.ts'
import { listedFunction, type PairTexts } from '../parts/pair-texts.ts'
import { sharingOf } from '../parts/slices.ts'
import { declare, loadSource } from '../parts/source-texts.ts'
import { insideBox, withoutCell } from '../ranges/cell-order.ts'
import { startsField } from '../ranges/counting-sort.ts'
import { insideOf, vectorOf } from '../ranges/space.ts'
import { shader } from '../wgsl/shader.ts'
import { packedArray } from './pack.ts'
import { outputsOf } from './pair-loop.ts'

const fields: readonly Field[] = [
  ...blockFields,
  carryField,
  { name: 'reach', type: 'f32', note: 'the distance up to which targets look' },
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
}

export function cellLoop(
  label: string,
  { texts, fold, shape, space, sameSet, exclusions, run }: CellLoopOptions,
): Shader {
  const { workgroup, slices } = shape
  const sharing = sharingOf(fold, shape)
  const gathering = gatheringOf(fold, shape)
  const { memory } = fold
  const axes = axesOf(space.dimension)
  const upper = axes.slice(1)
  const vector = vectorOf(space)
  const place = sameSet
    ? `packed[${texts.record.length}u * min(place_0, run.targetCount - 1u)].${vector.parts}`
    : insideBox(space, vector.load(arrayName('targets.position'), 'i_0'))
  const foldMemory = memory ? `var<workgroup> ${memory.name}: array<${memory.type}, ${memory.length}>;` : ''
  const moving = sameSet ? '' : insideOf(space).functions
  const listing = exclusions ? listedFunction : ''
  const body = wgsl`
${sharing.memory}
${foldMemory}
var<workgroup> visited: atomic<u32>;
${moving}
${listing}
${rangeFunctions}
@compute @workgroup_size(${workgroup})
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  ${sharing.declare}
  let block = run.groupFirst + group.x + group.z * groups.x;
  if (block >= run.groupLast) { return; }
  ${orderedTarget(texts, shape, sharing, 0, gathering.declare(0), { vector: place, axes })}
  if (lane == 0u) { atomicStore(&visited, 0u); }
  workgroupBarrier();
  ${upper.map((axis) => `let ${axis}Cells = cellsWithin(inside_0.${axis}, run.reach, run.perEdge_${axis});`)}
  var met = 0u;
  {
    ${gathering.open(0)}
    var room = run.sumLength;
    let visits = at_0 < run.targetCount && !${withoutCell(space, 'inside_0')};
    let rows = select(0u, ${upper.map((axis) => `${axis}Cells.number`).join(' * ')}, visits);
    for (var row = ${sharing.first}; row < rows; row += ${slices}u) {
      ${rowCells(space)}
      ${rowVisit(texts, shape, gathering, space)}
    }
    ${gathering.close(0)}
  }
  atomicAdd(&visited, met);
  ${gathering.total(0)}
  ${finish({ texts, fold, shape, each: [0], exclusions, look: undefined, sharing, resumes: false })}
  workgroupBarrier();
  if (lane == 0u) { order[run.evaluated + block] = atomicLoad(&visited); }
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
      fields: [...fields, startsField, ...gridFields(space.dimension), ...lengthFields(space), ...run],
      workgroup,
      memory: 4 + (slices > 1 ? 4 * workgroup * fold.words : 0) + 4 * (memory?.length ?? 0),
    },
    body,
  )
}

/** The cells of an axis that a target looks at. */
const rangeFunctions = wgsl`
// Some consecutive cells of an axis. Cells before the first and behind the last of the box are cells of its images.
struct Cells {
  first: i32,
  number: u32,
}
fn cellsWithin(x: f32, reach: f32, perEdge: f32) -> Cells {
  let low = i32(floor((x - reach) * perEdge));
  let high = i32(floor((x + reach) * perEdge));
  return Cells(low, u32(high - low) + 1u);
}
// The cell of the box that a cell is an image of.
fn imageOf(cell: i32, cells: u32) -> u32 {
  let count = i32(cells);
  return u32(select(select(cell, cell - count, cell >= count), cell + count, cell < 0));
}
// The distance of x to a cell.
fn gapTo(cell: i32, x: f32, edge: f32) -> f32 {
  let low = f32(cell) * edge;
  return max(max(low - x, x - (low + edge)), 0.0);
}`

/** Declares the `cells` of a row, the number of its first cell as `start`, and the target's place relative to its sources as `shifted`. */
function rowCells(space: BoxSpace): string {
  const { dimension } = space
  const upper = axesOf(dimension).slice(1)
  const places =
    dimension === 2
      ? ['let yCell = yCells.first + i32(row);']
      : ['let yCell = yCells.first + i32(row % yCells.number);', 'let zCell = zCells.first + i32(row / yCells.number);']
  const images = upper.map((axis) => `let ${axis}Image = imageOf(${axis}Cell, run.cells_${axis});`)
  const start = dimension === 2 ? 'yImage' : '(zImage * run.cells_y + yImage)'
  const rest = upper.map((axis) => `let ${axis}Gap = gapTo(${axis}Cell, inside_0.${axis}, run.edge_${axis});`)
  const squares = upper.map((axis) => `${axis}Gap * ${axis}Gap`).join(' - ')
  return wgsl`${places}
${rest}
let rest = run.reach * run.reach - ${squares};
if (rest < 0.0) { continue; }
${images}
let start = run.starts + ${start} * run.cells_x;
let cells = cellsWithin(inside_0.x, sqrt(rest), run.perEdge_x);
var shifted = inside_0;
${upper.map((axis) => `shifted.${axis} += sign(f32(i32(${axis}Image) - ${axis}Cell)) * run.length_${axis};`)}`
}

/** Visits the sources of a row, part by part: its cells may lie beyond a face of the box. */
function rowVisit(
  texts: PairTexts,
  { unroll }: LoopShape,
  { inBlocks, close, reopen }: Gathering,
  space: BoxSpace,
): string {
  const [count, end, sums] = inBlocks
    ? [
        'room -= end - next;',
        'min(last, next + room)',
        wgsl`
if (room == 0u) {
  ${close(0)}
  ${reopen(0)}
  room = run.sumLength;
}`,
      ]
    : ['', 'last', '']
  const index = texts.needsIndex ? 'let j = order[run.sourceOrder + at];' : ''
  const visit = (step: number) => wgsl`{
  let at = next + ${step}u;
  ${declare('source', loadSource(texts, { packed: true }, 'at'))}
  ${index}
  ${texts.pair(0)}
}`
  const steps = Array.from({ length: unroll }, (_, n) => visit(n))
  const unrolled =
    unroll > 1
      ? wgsl`for (; next + ${unroll - 1}u < end; next += ${unroll}u) {
  ${steps}
}`
      : ''
  return wgsl`for (var done = 0u; done < cells.number; ) {
  let cell = cells.first + i32(done);
  let image = imageOf(cell, run.cells_x);
  let number = min(cells.number - done, run.cells_x - image);
  done += number;
  shifted.x = inside_0.x + sign(f32(i32(image) - cell)) * run.length_x;
  ${axesOf(space.dimension).map((axis) => `let ${axis}i_0 = shifted.${axis};`)}
  let first = start + image;
  var next = order[first];
  let last = order[first + number];
  met += last - next;
  while (next < last) {
    let end = ${end};
    ${count}
    ${unrolled}
    for (; next < end; next++) ${visit(0)}
    ${sums}
  }
}`
}
