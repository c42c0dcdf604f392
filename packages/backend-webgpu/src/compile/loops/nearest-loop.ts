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
import { gridField, gridText, isEven, strayGroup } from '../ranges/even-grid.ts'
import { type Narrowing, narrowingFields } from '../ranges/narrowing.ts'
import { vectorOf } from '../ranges/space.ts'
import { shader } from '../wgsl/shader.ts'
import { packedArray } from './pack.ts'
import { outputsOf } from './pair-loop.ts'

/** How much farther a target looks if it has found too few sources. */
const farther = 1.6
/** Targets that are farther from the grid, relative to its extent, are left to the loop over blocks, which shares their sources. */
const farAway = 0.03
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
  const { farthest, forget } = fold
  if (!farthest || !forget) throw new TypeError('expected a fold that keeps the nearest sources')
  const { workgroup } = shape
  const sharing = sharingOf(fold, shape)
  const { type, parts } = vectorOf(space)
  const axes = axesOf(space.dimension)
  const packedPlace = `packed[${texts.record.length}u * min(place_0, run.targetCount - 1u)].${parts}`
  const coordinates = `${type}(${axes.map((axis) => `${axis}i_0`).join(', ')})`
  const kept = farthest(0)
  const distance = narrowing.power === 2 ? `sqrt(${kept})` : kept
  const needed = `(${distance} * run.slope + run.start)`
  // How far the target still looks.
  const square = narrowing.power === 2 ? kept : `${kept} * ${kept}`
  const limit = `(min(reach * reach, ${square}) * slopeSquare + startSquare)`
  const looking = wgsl`loop {
  ${rows(space, limit, row(texts))}
  if (reach >= whole || (${kept} < ${largest} && ${needed} <= reach)) { break; }
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
${exclusions ? listedFunction : ''}
${gridText(space, 'order').functions}
${rowFunctions}
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
  ${orderedTarget(texts, shape, sharing, 0, fold.declare(0), sameSet ? { vector: packedPlace, axes } : undefined)}
  ${placed(space, coordinates)}
  let cutoff = select(${farthestLook}, 1.0 / run.perReach, run.perReach > 0.0);
  let whole = min(min(across * (1.0 + ${roundings}), ${farthestLook}), cutoff);
  let exists = at_0 < run.targetCount && !${notFinite(space, 'x')};
  if (exists && away > ${farAway} * extent) { atomicStore(&strays, 1u); }
  workgroupBarrier();
  if (lane == 0u && atomicLoad(&strays) == 1u) {
    even = 0u;
    order[run.evaluated + block] = ${strayGroup}u;
  }
  if (workgroupUniformLoad(&even) == 0u) { return; }
  var guess = grid(${gridWords.start}u);
  var reach = min(away + guess, whole);
  // The square of the reach of a distance is at most slopeSquare times its square, and startSquare.
  let slopeSquare = run.slope * run.slope * (1.0 + 8.0 * ${roundings});
  let startSquare = run.start * run.start * 1e6;
  var met = 0u;
  if (exists) {
    ${inRounds(fold.passes, looking)}
  }
  atomicAdd(&visited, met);
  ${finish({ texts, fold, shape, each: [0], exclusions, look: undefined, sharing, resumes: false })}
  workgroupBarrier();
  if (lane == 0u) { order[run.evaluated + block] = (atomicLoad(&visited) + ${workgroup - 1}u) / ${workgroup}u; }
}
`,
  )
}

/** The passes of a round differ, so each has its own text: a driver then leaves out the other's statements. */
function inRounds(passes: Fold['passes'], looking: string): string {
  if (!passes) return looking
  const pass = (n: number) => wgsl`{
  let passAt = 2u * round + ${n}u;
  ${passes.begin(0)}
  ${looking}
}`
  return wgsl`for (var round = 0u; round < ${passes.count / 2}u; round++) {
  ${[pass(0), pass(1)]}
}`
}

const rowFunctions = wgsl`
// How many cells from its own a target reaches along an axis, all of it in cells.
fn stepsTo(place: f32, own: f32, distance: f32, cells: f32) -> u32 {
  let low = clamp(floor(place - distance), 0.0, cells - 1.0);
  let high = clamp(floor(place + distance), 0.0, cells - 1.0);
  return u32(max(own - low, high - own));
}
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

/**
 * Declares the place of the target in cells, the distance `across`, which all cells are within, and how far the target is `away` from the
 * grid, at most.
 */
function placed(space: BoxSpace, coordinates: string): string {
  const { type } = vectorOf(space)
  const sum = (vector: string) =>
    axesOf(space.dimension)
      .map((axis) => `${vector}.${axis}`)
      .join(' + ')
  return wgsl`let x = ${coordinates};
let cells = gridCells();
let cellsAlong = vec${space.dimension}u(cells);
let perEdge = gridPerEdge();
let place = (x - gridLow()) * perEdge;
let own = gridCell(place, cells);
// An axis with one cell has no edge.
let edges = select(1.0 / perEdge, ${type}(0.0), perEdge == ${type}(0.0)) * (1.0 - ${roundings});
let slack = cells * ${roundings};
let sides = (max(abs(place), abs(cells - place)) + slack) * edges * (1.0 + 4.0 * ${roundings});
let across = ${sum('sides')};
let extents = cells * edges;
let extent = ${sum('extents')};
let beyond = max(max(-place, place - cells), ${type}(0.0)) * edges;
let away = ${sum('beyond')};`
}

/**
 * Visits the rows within the limit: first those of the table, and then all others.
 *
 * @param limit the square of the distance that the target looks up to
 * @param row visits one: its first cell is `rowFirst`, and `rest` the square of the distance left along x
 */
function rows(space: BoxSpace, limit: string, row: string): string {
  const upper = axesOf(space.dimension).slice(1)
  const [near, flat] = [nearSteps(space), upper.length === 1]
  const steps = upper.map((axis) => `stepsTo(place.${axis}, own.${axis}, far.${axis}, cells.${axis})`)
  const inside = upper.map((axis) => `cell.${axis} < 0.0 || cell.${axis} >= cells.${axis}`)
  const gaps = upper.map(
    (axis) => `let ${axis}Gap = gapTo(cell.${axis}, place.${axis}, cells.${axis}) * edges.${axis};`,
  )
  const [type, offset, others, square] = flat
    ? ['f32', 'vec2f(0.0, step)', 'f32(m) - f32(most)', 'width']
    : ['vec2f', 'vec3f(0.0, step)', 'vec2f(f32(m % width), f32(m / width)) - f32(most)', 'width * width']
  const number = flat ? 'u32(cell.y)' : '(u32(cell.z) * cellsAlong.y + u32(cell.y))'
  return wgsl`var most = 0u;
var width = 0u;
for (var n = 0u; ; n++) {
  if (n == ${near.length}u) {
    let far = sqrt(${limit}) * perEdge * (1.0 + ${roundings}) + slack;
    most = ${steps.reduce((a, b) => `max(${a}, ${b})`)};
    width = select(0u, 2u * most + 1u, most > 2u);
  }
  if (n >= ${near.length}u + ${square}) { break; }
  var step = nearSteps[min(n, ${near.length - 1}u)];
  if (n >= ${near.length}u) {
    let m = n - ${near.length}u;
    step = ${others};
    if (all(abs(step) <= ${type}(2.0))) { continue; }
  }
  let cell = own + ${offset};
  if (${inside.join(' || ')}) { continue; }
  ${gaps}
  let rest = ${limit} - ${upper.map((axis) => `${axis}Gap * ${axis}Gap`).join(' - ')};
  if (rest < 0.0) { continue; }
  let rowFirst = run.starts + ${number} * cellsAlong.x;
  ${row}
}`
}

/** Visits the sources of a row whose cells are within the rest of the limit. */
const row = (texts: PairTexts): string => wgsl`let along = sqrt(rest) * perEdge.x * (1.0 + ${roundings}) + slack.x;
let firstCell = u32(clamp(floor(place.x - along), 0.0, cells.x - 1.0));
let lastCell = u32(clamp(floor(place.x + along), 0.0, cells.x - 1.0));
let last = order[rowFirst + lastCell + 1u];
let first = order[rowFirst + firstCell];
met += last - first;
for (var at = first; at < last; at++) {
  ${declare('source', loadSource(texts, { packed: true }, 'at'))}
  let j = ${packedIndex('at')};
  ${texts.pair(0)}
}`
