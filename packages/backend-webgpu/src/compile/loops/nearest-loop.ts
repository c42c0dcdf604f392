/**
 * The loop over the nearest sources by a grid of cells, in WGSL, for sources that are spread evenly in open space. Each invocation has a
 * target. It visits the rows of cells within its reach, first its own row and then those on either side in turns. The reach starts as a
 * guess and shrinks to the farthest source that the target keeps. After a guess that was too short, the target forgets its sources and
 * looks farther.
 *
 * Places are in cells, and rounded as when the points were counted, so that a point is never nearer than its cell, but for the slack.
 *
 * @module
 */
import { axesOf } from '@manybody/core/backend'
import { gridWords } from '../../design/even-grid.ts'
import type { LoopShape } from '../../design/loop-shape.ts'
import type { Field, Shader } from '../../design/shader.ts'
import type { BoxSpace } from '../../design/space.ts'
import { wgsl } from '../../design/wgsl.ts'
import { type Fold, largest } from '../folds/fold.ts'
import { blockFields, carryField } from '../parts/block-fields.ts'
import { finish } from '../parts/finish.ts'
import { orderedTarget } from '../parts/gathered-tile.ts'
import { listedFunction, type PairTexts } from '../parts/pair-texts.ts'
import { sharingOf } from '../parts/slices.ts'
import { declare, loadSource, packedIndex } from '../parts/source-texts.ts'
import { notFinite } from '../ranges/boxes.ts'
import { startsField } from '../ranges/counting-sort.ts'
import { awayFunction, gridField, gridFunctions, isEven, isStray, strayGroup } from '../ranges/even-grid.ts'
import { type Narrowing, narrowingFields } from '../ranges/narrowing.ts'
import { vectorOf } from '../ranges/space.ts'
import { indent, shader } from '../wgsl/shader.ts'
import { inPasses } from './block-loop.ts'
import { packedArray } from './pack.ts'
import { outputsOf } from './pair-loop.ts'

/** How much farther a target looks if it has found too few sources. */
const farther = 1.6
/** The farthest distance whose square does not overflow. */
const farthestLook = '1.7e19'
/** More than the roundings of two places in a grid, as a share of its cells, and of a distance. */
const roundings = '0x1p-20'

export interface NearestLoopOptions {
  readonly texts: PairTexts
  readonly fold: Fold
  readonly shape: LoopShape
  readonly narrowing: Pick<Narrowing, 'power'>
  readonly space: BoxSpace
  readonly sameSet: boolean
  readonly exclusions: boolean
  readonly run: readonly Field[]
}

/** @throws TypeError if the fold does not keep the nearest sources */
export function nearestLoop(
  label: string,
  { texts, fold, shape, narrowing, space, sameSet, exclusions, run }: NearestLoopOptions,
): Shader {
  const { farthest, forget, passes } = fold
  if (!farthest || !forget) throw new TypeError('expected a fold that keeps the nearest sources')
  const { workgroup } = shape
  const sharing = sharingOf(fold, shape)
  const { type, parts } = vectorOf(space)
  const axes = axesOf(space.dimension)
  const packedPlace = sameSet
    ? { vector: `packed[${texts.record.length}u * min(place_0, run.targetCount - 1u)].${parts}`, axes }
    : undefined
  const listing = exclusions ? listedFunction : ''
  const coordinates = `${type}(${axes.map((axis) => `${axis}i_0`).join(', ')})`
  const kept = farthest(0)
  const distance = narrowing.power === 2 ? `sqrt(${kept})` : kept
  const needed = `(${distance} * run.slope + run.start)`
  // How far the target still looks.
  const square = narrowing.power === 2 ? kept : `${kept} * ${kept}`
  const limit = `(min(reach * reach, ${square}) * slopeSquare + startSquare)`
  // A pass that does not begin with an empty list knows how far it must look.
  const looked = passes ? 'passAt % 2u == 1u || ' : ''
  const looking = wgsl`loop {
  ${rows(space, limit, row(texts))}
  if (${looked}reach >= whole || (${kept} < ${largest} && ${needed} <= reach)) { break; }
  guess *= ${farther};
  reach = min(away + guess, whole);
  ${forget(0)}
}`
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
        ...blockFields,
        carryField,
        { name: 'perReach', type: 'f32', note: '1 / the distance up to which targets look; 0 if there is no cutoff' },
        ...narrowingFields,
        startsField,
        gridField,
        ...run,
      ],
      workgroup,
      memory: 12,
    },
    wgsl`
var<workgroup> even: u32;
var<workgroup> strays: atomic<u32>;
var<workgroup> visited: atomic<u32>;
${listing}
${gridFunctions(space, 'order')}
${awayFunction(space)}
${gapFunction}
${nearTable(space)}
@compute @workgroup_size(${workgroup})
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let block = run.groupFirst + group.x + group.z * groups.x;
  if (block >= run.groupLast || run.sourceCount == 0u) { return; }
  if (lane == 0u) {
    atomicStore(&visited, 0u);
    atomicStore(&strays, 0u);
    even = select(0u, 1u, ${isEven});
  }
  // The loop over blocks visits other sources, and those of targets far away.
  if (workgroupUniformLoad(&even) == 0u) { return; }
  ${orderedTarget(texts, shape, sharing, 0, fold.declare(0), packedPlace)}
  ${placed(space, coordinates)}
  let cutoff = select(${farthestLook}, 1.0 / run.perReach, run.perReach > 0.0);
  let whole = min(min(across * (1.0 + ${roundings}), ${farthestLook}), cutoff);
  let exists = at_0 < run.targetCount && !${notFinite(space, 'x')};
  let away = awayFrom(gridLow(), gridSize(), x);
  var guess = grid(${gridWords.start}u);
  if (exists && ${isStray('away', 'guess')}) { atomicStore(&strays, 1u); }
  workgroupBarrier();
  if (lane == 0u && atomicLoad(&strays) == 1u) {
    even = 0u;
    order[run.evaluated + block] = ${strayGroup}u;
  }
  if (workgroupUniformLoad(&even) == 0u) { return; }
  var reach = min(away + guess, whole);
  // The square of the reach of a distance is at most slopeSquare times its square, and startSquare.
  let slopeSquare = run.slope * run.slope * (1.0 + 8.0 * ${roundings});
  let startSquare = run.start * run.start * 1e6;
  var met = 0u;
  ${inPasses(passes, [0], `if (exists) {\n  ${indent(looking, 1)}\n}`)}
  atomicAdd(&visited, met);
  ${finish({ texts, fold, shape, each: [0], exclusions, look: undefined, sharing, resumes: false })}
  workgroupBarrier();
  if (lane == 0u) { order[run.evaluated + block] = (atomicLoad(&visited) + ${workgroup - 1}u) / ${workgroup}u; }
}
`,
  )
}

const gapFunction = wgsl`
// The distance of a place to a cell, in cells. The outermost cells have no end.
fn gapTo(cell: f32, place: f32, cells: f32) -> f32 {
  let below = select(cell - place, 0.0, cell == 0.0);
  let above = select(place - cell - 1.0, 0.0, cell == cells - 1.0);
  return max(max(below, above) - cells * ${roundings}, 0.0);
}`

/** The table of steps, as WGSL. */
function nearTable(space: BoxSpace): string {
  const steps = nearSteps(space)
  const type = space.dimension === 2 ? 'f32' : 'vec2f'
  return `const nearSteps = array<${type}, ${steps.length}>(${steps.map((step) => `${type}(${step.map((n) => `${n}.0`).join(', ')})`).join(', ')});`
}

/** Steps from the row of a target to others up to two cells away, by distance. Most targets look no farther. */
function nearSteps(space: BoxSpace): readonly (readonly number[])[] {
  const along = [-2, -1, 0, 1, 2]
  const steps = space.dimension === 2 ? along.map((y) => [y]) : along.flatMap((z) => along.map((y) => [y, z]))
  const gap = (step: readonly number[]) => step.reduce((sum, n) => sum + Math.max(0, Math.abs(n) - 0.5) ** 2, 0)
  const square = (step: readonly number[]) => step.reduce((sum, n) => sum + n * n, 0)
  return steps.sort((a, b) => gap(a) - gap(b) || square(a) - square(b))
}

/** Declares the place of the target in cells, and the distance `across`, which all cells are within. */
function placed(space: BoxSpace, coordinates: string): string {
  const { type } = vectorOf(space)
  const sum = (vector: string) =>
    axesOf(space.dimension)
      .map((axis) => `${vector}.${axis}`)
      .join(' + ')
  return wgsl`let x = ${coordinates};
let cells = gridCells();
let perEdge = gridPerEdge();
let place = (x - gridLow()) * perEdge;
let own = gridCell(place, cells);
// An axis with one cell has no edge.
let edges = select(1.0 / perEdge, ${type}(0.0), perEdge == ${type}(0.0)) * (1.0 - ${roundings});
let slack = cells * ${roundings};
let sides = (max(abs(place), abs(cells - place)) + slack) * edges * (1.0 + 4.0 * ${roundings});
let across = ${sum('sides')};`
}

/**
 * Visits the rows within the limit: first those of the table, and then all others.
 *
 * @param limit the square of the distance that the target looks up to
 * @param row visits one: its first cell is `rowFirst`, and `rest` the square of the distance left along x
 */
function rows(space: BoxSpace, limit: string, row: string): string {
  const upper = axesOf(space.dimension).slice(1)
  const flat = upper.length === 1
  const near = nearSteps(space).length
  const joined = (test: (axis: string) => string, both: string) => upper.map(test).join(` ${both} `)
  const gaps = upper.map(
    (axis) => `let ${axis}Gap = gapTo(cell.${axis}, place.${axis}, cells.${axis}) * edges.${axis};`,
  )
  const [step, other, all] = flat
    ? ['vec2f(0.0, nearSteps[n])', 'vec2f(0.0, first.y + f32(m))', 'yRows']
    : [
        'vec3f(0.0, nearSteps[n])',
        'vec3f(0.0, first.y + f32(m % yRows), first.z + f32(m / yRows))',
        'yRows * (u32(last.z - first.z) + 1u)',
      ]
  return wgsl`var first = own;
var yRows = 0u;
var others = 0u;
for (var n = 0u; n < ${near}u + others || n == ${near}u; n++) {
  if (n == ${near}u) {
    let far = sqrt(${limit}) * perEdge * (1.0 + ${roundings}) + slack;
    let last = gridCell(place + far, cells);
    first = gridCell(place - far, cells);
    if (${joined((axis) => `max(own.${axis} - first.${axis}, last.${axis} - own.${axis}) > 2.0`, '||')}) {
      yRows = u32(last.y - first.y) + 1u;
      others = ${all};
    }
    if (others == 0u) { break; }
  }
  var cell = own;
  if (n < ${near}u) {
    cell += ${step};
    if (${joined((axis) => `cell.${axis} < 0.0 || cell.${axis} >= cells.${axis}`, '||')}) { continue; }
  } else {
    let m = n - ${near}u;
    cell = ${other};
    if (${joined((axis) => `abs(cell.${axis} - own.${axis}) <= 2.0`, '&&')}) { continue; }
  }
  ${gaps}
  let rest = ${limit} - ${upper.map((axis) => `${axis}Gap * ${axis}Gap`).join(' - ')};
  if (rest < 0.0) { continue; }
  cell.x = 0.0;
  let rowFirst = run.starts + cellNumber(cell, cells);
  ${row}
}`
}

/** Visits the sources of a row whose cells are within the rest of the limit. */
const row = (texts: PairTexts): string => wgsl`let along = sqrt(rest) * perEdge.x * (1.0 + ${roundings}) + slack.x;
let firstCell = u32(clamp(floor(place.x - along), 0.0, cells.x - 1.0));
let lastCell = u32(clamp(floor(place.x + along), 0.0, cells.x - 1.0));
let rowEnd = order[rowFirst + lastCell + 1u];
let rowStart = order[rowFirst + firstCell];
met += rowEnd - rowStart;
for (var at = rowStart; at < rowEnd; at++) {
  ${declare('source', loadSource(texts, { packed: true }, 'at'))}
  let j = ${packedIndex('at')};
  ${texts.pair(0)}
}`
