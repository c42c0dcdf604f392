/**
 * Puts points in the order of their cells by a counting sort, in WGSL: clears the counts of cells, counts the points of each,
 * adds the counts up to the first place of each cell, and puts each point into a place of its cell. `gather-cells.ts` then
 * ranks the points of a cell by their indices, so that the order depends only on positions.
 *
 * No workgroup waits for another, because WebGPU does not promise that the other ever runs.
 *
 * @module
 */
import type { Dimension } from '@manybody/core'
import { axesOf } from '@manybody/core/backend'
import { cellsPerGroup, gridFields } from '../../design/cell-layout.ts'
import { orderedPerGroup } from '../../design/order-layout.ts'
import { arrayName, type Field, type Resource, type Shader } from '../../design/shader.ts'
import { type BoxSpace, lengthFields } from '../../design/space.ts'
import { wgsl } from '../../design/wgsl.ts'
import { shader } from '../wgsl/shader.ts'
import { notFinite } from './boxes.ts'
import { entry } from './entry.ts'
import { runningSum } from './running-sum.ts'
import { sharedShader } from './shared-shaders.ts'
import { insideOf, vectorOf } from './space.ts'

const workgroup = orderedPerGroup
/** Cells of an invocation. */
const own = cellsPerGroup / workgroup

const order: Resource = { key: 'order', access: 'read_write', type: 'u32' }
const countedOrder: Resource = { ...order, type: 'atomic<u32>' }
const keys: Resource = { key: 'keys', access: 'read_write', type: 'u32' }

export const startsField: Field = {
  name: 'starts',
  type: 'u32',
  note: 'where in order the counts of cells start, and then their first places',
}
const sumsField: Field = { name: 'sums', type: 'u32', note: 'where in order their sums start, one for each workgroup' }
export const countField: Field = { name: 'count', type: 'u32', note: 'number of points' }
export const orderField: Field = { name: 'orderFirst', type: 'u32', note: 'where their order starts' }

/** The place of a point inside the box. A point far outside loses digits when it is moved, and is moved again. */
export const insideBox = (space: BoxSpace, x: string): string => insideOf(space).of(insideOf(space).of(x))

/** A function that gives the cell along each axis of a place inside the box. */
const cellFunction = (dimension: Dimension): string => {
  const axes = axesOf(dimension)
  const vector = (type: string, field: string) =>
    `vec${dimension}${type}(${axes.map((axis) => `run.${field}_${axis}`).join(', ')})`
  return wgsl`
fn cellsAlong() -> vec${dimension}u { return ${vector('u', 'cells')}; }
fn cellAlong(inside: vec${dimension}f) -> vec${dimension}u {
  let last = vec${dimension}f(cellsAlong() - 1u);
  return vec${dimension}u(clamp(floor(inside * ${vector('f', 'perEdge')}), vec${dimension}f(0.0), last));
}`
}

/** The number of a cell, from its cells along each axis. */
const cellNumber = (dimension: Dimension, cell: string): string =>
  dimension === 2
    ? `(${cell}.y * run.cells_x + ${cell}.x)`
    : `((${cell}.z * run.cells_y + ${cell}.y) * run.cells_x + ${cell}.x)`

/** Clears the counts. */
const clearCells = shader(
  { label: 'cells: clear the counts', resources: [order], fields: [startsField], workgroup },
  entry(
    workgroup,
    wgsl`let part = group.x + group.z * groups.x;
for (var n = 0u; n < ${own}u; n++) {
  order[run.starts + part * ${cellsPerGroup}u + n * ${workgroup}u + lane] = 0u;
}`,
  ),
)

/** Adds up the counts of the cells of each workgroup. */
const sumCells = shader(
  {
    ...{ label: 'cells: add up the counts of each workgroup', resources: [order], workgroup },
    ...{ fields: [startsField, sumsField], memory: 4 },
  },
  wgsl`
var<workgroup> all: atomic<u32>;

${entry(
  workgroup,
  wgsl`let part = group.x + group.z * groups.x;
if (lane == 0u) { atomicStore(&all, 0u); }
workgroupBarrier();
var sum = 0u;
for (var n = 0u; n < ${own}u; n++) { sum += order[run.starts + part * ${cellsPerGroup}u + n * ${workgroup}u + lane]; }
atomicAdd(&all, sum);
workgroupBarrier();
if (lane == 0u) { order[run.sums + part] = atomicLoad(&all); }`,
)}`,
)

/** Replaces each count by the number of points in earlier cells. */
const startCells = shader(
  {
    ...{ label: 'cells: find the first place of each', resources: [order], workgroup },
    ...{ fields: [startsField, sumsField], memory: 4 * workgroup + 4 },
  },
  wgsl`
var<workgroup> before: atomic<u32>;
${runningSum(workgroup)}

${entry(
  workgroup,
  wgsl`let part = group.x + group.z * groups.x;
if (lane == 0u) { atomicStore(&before, 0u); }
workgroupBarrier();
var earlier = 0u;
for (var other = lane; other < part; other += ${workgroup}u) { earlier += order[run.sums + other]; }
atomicAdd(&before, earlier);
let first = run.starts + part * ${cellsPerGroup}u + lane * ${own}u;
var sum = 0u;
for (var n = 0u; n < ${own}u; n++) { sum += order[first + n]; }
// Its barriers also end the sum over earlier workgroups.
var place = runningSum(sum, lane) - sum + atomicLoad(&before);
for (var n = 0u; n < ${own}u; n++) {
  let found = order[first + n];
  order[first + n] = place;
  place += found;
}`,
)}`,
)

/** Puts each point into its place among the points of its cell, in the order in which they were counted. */
const placePoints = shader(
  {
    ...{ label: 'cells: put points into places', resources: [{ ...keys, access: 'read' }, order], workgroup },
    fields: [countField, startsField, orderField],
  },
  entry(
    workgroup,
    wgsl`let part = group.x + group.z * groups.x;
let p = part * ${workgroup}u + lane;
if (p >= run.count) { return; }
order[run.orderFirst + run.count + order[run.starts + keys[p]] + keys[run.count + p]] = p;`,
  ),
)

/** The shaders that do not depend on the set of points. */
export const cellShaders: Readonly<Record<'clearCells' | 'sumCells' | 'startCells' | 'placePoints', Shader>> = {
  ...{ clearCells, sumCells, startCells, placePoints },
}

/** The shader that finds the cell of each point, and its number among the points of that cell. */
export const countShader = (set: string, space: BoxSpace): Shader =>
  sharedShader('count', set, space, () => writeCount(set, space))

function writeCount(set: string, space: BoxSpace): Shader {
  const { dimension } = space
  const position: Resource = { key: `${set}.position`, access: 'read', type: 'f32' }
  return shader(
    {
      label: `cells: count ${set}`,
      resources: [position, countedOrder, keys],
      fields: [countField, startsField, ...gridFields(dimension), ...lengthFields(space)],
      workgroup,
    },
    wgsl`
${insideOf(space).functions}
${cellFunction(dimension)}

${entry(
  workgroup,
  wgsl`let part = group.x + group.z * groups.x;
let p = part * ${workgroup}u + lane;
if (p >= run.count) { return; }
let x = ${vectorOf(space).load(arrayName(position.key), 'p')};
let along = cellAlong(${insideBox(space, 'x')});
let cell = select(${cellNumber(dimension, 'along')}, 0u, ${notFinite(space, 'x')});
keys[p] = cell;
keys[run.count + p] = atomicAdd(&order[run.starts + cell], 1u);`,
)}`,
  )
}
