/**
 * Puts points in order along Hilbert's curve, so that neighbours in the order are neighbours in space, in WGSL.
 *
 * A counting sort by cells of equal size is enough where points are spread evenly. Cells with many points are divided, first in space and
 * in the end by the indices of points. Where no cell is crowded, the shaders that divide cells end at once. The device decides, because the
 * host does not know the points.
 *
 * The order is only a hint: results are right with any order, but a bad one is slow.
 *
 * @module
 */
import type { Dimension } from '@manybody/core'
import { divisions, mostInCell, pointsPerPart } from '../../design/curve-cells.ts'
import { gridWords } from '../../design/even-grid.ts'
import { orderedPerGroup } from '../../design/order-layout.ts'
import { arrayName, type Field, type Resource, type Shader } from '../../design/shader.ts'
import { type BoxSpace, lengthFields } from '../../design/space.ts'
import { wgsl } from '../../design/wgsl.ts'
import { shader } from '../wgsl/shader.ts'
import { notFinite } from './boxes.ts'
import {
  cellShaders,
  countedOrder,
  countField,
  countsOf,
  crowdedField,
  keys,
  levelFields,
  order,
  orderField,
  rankedOfLevels,
  startsField,
  summing,
} from './counting-sort.ts'
import { entry } from './entry.ts'
import { gridField, gridFunctions, isEven } from './even-grid.ts'
import { curveThrough } from './hilbert.ts'
import { sharedShader } from './shared-shaders.ts'
import { vectorOf } from './space.ts'

const workgroup = orderedPerGroup
/** With more points in any cell, the loop by a grid would take too long. */
const mostInGridCell = 256

/**
 * Bits of a place along each axis, half of them for each of two words. Fewer would be enough for points that fill their box, but a
 * single point far away makes the box of all others small.
 */
const bitsIn = (dimension: Dimension): number => (dimension === 2 ? 30 : 20)
/** Bits of a word of a place. */
const wordBits = 30

const bitsField: Field = {
  name: 'bits',
  type: 'u32',
  note: 'number of bits of a place that the cells of the first level tell apart',
}
const levelField: Field = { name: 'level', type: 'u32', note: 'the level with the cells to divide, from 1' }

const crowdedVariable = 'var<workgroup> divides: bool;'
/** Ends a shader unless the level has a crowded cell. */
const unlessCrowded = wgsl`if (lane == 0u) { divides = order[run.crowded] >= run.level; }
if (!workgroupUniformLoad(&divides)) { return; }`

/** The number of cells that a cell is divided into: a power of two if it is crowded, and none if it is empty. */
const partsOf = wgsl`
fn partsOf(count: u32) -> u32 {
  let crowded = 1u << firstLeadingBit(max(count / ${pointsPerPart}u, 1u));
  return select(min(count, 1u), crowded, count > ${mostInCell}u);
}`

/** Replace each count of a level by the first of its cells in the next level. Counts of cells that are not divided move there. */
const [sumParts, startParts] = summing('order: parts of crowded cells', {
  fields: [...levelFields, levelField],
  functions: wgsl`
${crowdedVariable}
${countsOf}
${partsOf}`,
  start: unlessCrowded,
  counts: 'countsOf(run.level)',
  adds: (count) => `partsOf(${count})`,
  also: (at) => `order[countsOf(run.level + 1u) + ${at}] = 0u;`,
  replaced: (at, count, before) => wgsl`order[${at}] = ${before};
if (partsOf(${count}) == 1u) { order[countsOf(run.level + 1u) + ${before}] = ${count}; }`,
})

/**
 * The shader that finds the cell of each point along the curve, and its number among the points of that cell.
 *
 * @param gridded whether points that are spread evenly belong to the cells of a grid instead
 */
export const curveCountShader = (set: string, space: BoxSpace, gridded: boolean): Shader =>
  sharedShader(gridded ? 'grid or curve count' : 'curve count', set, space, () => writeCount(set, space, gridded))

/** The shader that finds the part of a divided cell for each of its points. */
export const divideShader = (set: string, space: BoxSpace): Shader =>
  sharedShader('divide', set, space, () => writeDivide(set, space))

function writeCount(set: string, space: BoxSpace, gridded: boolean): Shader {
  const position: Resource = { key: `${set}.position`, access: 'read', type: 'f32' }
  const curve = curveThrough(space)
  const cell = `${curve.word('place', '0u', 'run.levels')} >> run.spare`
  const crowds = `if (before == ${mostInCell}u) { atomicMax(&order[run.crowded], 1u); }`
  const [functions, find, mark] = gridded
    ? [
        gridFunctions(space, 'bounds'),
        wgsl`let isEven = ${isEven};
var cell = 0u;
if (isEven) {
  if (!${notFinite(space, 'x')}) {
    let cells = gridCells();
    cell = cellNumber(gridCell((x - gridLow()) * gridPerEdge(), cells), cells);
  }
} else {
  let place = ${curve.place('x', 'run.top')};
  cell = ${cell};
}`,
        wgsl`if (!isEven) {
  ${crowds}
} else if (before == ${mostInGridCell}u) {
  // Not so even: the loop over blocks visits the points, and crowded cells are divided.
  atomicStore(&order[run.grid + ${gridWords.isEven}u], 0u);
  atomicMax(&order[run.crowded], 1u);
}`,
      ]
    : [
        '',
        wgsl`let place = ${curve.place('x', 'run.top')};
let cell = ${cell};`,
        crowds,
      ]
  return shader(
    {
      label: `order: count ${set}`,
      resources: [position, ...curve.resources, countedOrder, keys],
      fields: [
        countField,
        startsField,
        ...lengthFields(space),
        crowdedField,
        { name: 'top', type: 'u32', note: 'the highest bit of a cell along an axis' },
        { name: 'levels', type: 'u32', note: 'number of its bits' },
        { name: 'spare', type: 'u32', note: 'number of the lowest bits of a place that do not count' },
        ...(gridded ? [gridField] : []),
      ],
      workgroup,
    },
    wgsl`
${curve.functions}
${functions}

${entry(
  workgroup,
  wgsl`let p = (group.x + group.z * groups.x) * ${workgroup}u + lane;
if (p >= run.count) { return; }
let x = ${vectorOf(space).load(arrayName(position.key), 'p')};
${find}
let before = atomicAdd(&order[run.starts + cell], 1u);
keys[p] = cell;
keys[run.count + p] = before;
${mark}`,
)}`,
  )
}

function writeDivide(set: string, space: BoxSpace): Shader {
  const position: Resource = { key: `${set}.position`, access: 'read', type: 'f32' }
  const curve = curveThrough(space)
  const bits = bitsIn(space.dimension)
  return shader(
    {
      label: `order: divide crowded cells of ${set}`,
      resources: [position, ...curve.resources, countedOrder, keys],
      fields: [countField, orderField, ...levelFields, levelField, bitsField, ...lengthFields(space)],
      workgroup,
    },
    wgsl`
${curve.functions}
${countsOf}
// The bits of a place behind the first ones, and zeros behind the last.
fn bitsBehind(high: u32, low: u32, first: u32) -> u32 {
  let most = ${2 ** wordBits - 1}u;
  if (first < ${wordBits}u) { return ((high << first) & most) | (low >> (${wordBits}u - first)); }
  return (low << min(first - ${wordBits}u, ${wordBits}u)) & most;
}

${entry(
  workgroup,
  wgsl`if (atomicLoad(&order[run.crowded]) < run.level) { return; }
let stride = groups.x * groups.z * ${workgroup}u;
for (var p = (group.x + group.z * groups.x) * ${workgroup}u + lane; p < run.count; p += stride) {
  let own = countsOf(run.level) + keys[p];
  let first = atomicLoad(&order[own]);
  let parts = atomicLoad(&order[own + 1u]) - first;
  if (parts == 1u) {
    keys[p] = first;
    continue;
  }
  // Equal points stay in the order of their indices.
  var part = min(u32(f32(p) / f32(run.count) * f32(parts)), parts - 1u);
  if (run.level < ${divisions.length}u) {
    // Where the number of bits of its place is that earlier levels have told apart.
    let behind = run.orderFirst + run.count + p;
    let known = select(atomicLoad(&order[behind]), run.bits, run.level == 1u);
    let more = countTrailingZeros(parts);
    let place = ${curve.place(vectorOf(space).load(arrayName(position.key), 'p'), `${2 ** (bits - 1)}u`)};
    part = bitsBehind(${curve.word('place', `${bits / 2}u`, `${bits / 2}u`)}, ${curve.word('place', '0u', `${bits / 2}u`)}, known) >> (${wordBits}u - more);
    atomicStore(&order[behind], known + more);
  }
  let cell = first + part;
  let before = atomicAdd(&order[countsOf(run.level + 1u) + cell], 1u);
  keys[p] = cell;
  keys[run.count + p] = before;
  if (before == ${mostInCell}u && run.level < ${divisions.length}u) { atomicMax(&order[run.crowded], run.level + 1u); }
}`,
)}`,
  )
}

/** The shader that ranks the points of each cell by their indices. */
const rankPoints = shader(
  {
    label: 'order: rank the points of each cell',
    resources: [{ ...keys, access: 'read' }, order],
    fields: [countField, orderField, ...levelFields],
    workgroup,
  },
  wgsl`
${countsOf}

${entry(
  workgroup,
  wgsl`let place = (group.x + group.z * groups.x) * ${workgroup}u + lane;
if (place >= run.count) { return; }
${rankedOfLevels}
order[run.orderFirst + goes] = j;`,
)}`,
)

/** The shaders that do not depend on the set of points. */
export const curveShaders: Readonly<Record<string, Shader>> = { ...cellShaders, sumParts, startParts, rankPoints }
