/**
 * Puts points in the order of their cells by a counting sort, in WGSL: clears the counts of cells, adds them up to the first place of
 * each cell, puts each point into a place of its cell, and ranks the points of a cell by their indices, so that the order depends
 * only on positions. `curve-order.ts`, `cell-sort.ts` and the windows of grids number the cells and count the points of each.
 *
 * No workgroup waits for another, because WebGPU does not promise that the other ever runs.
 *
 * @module
 */
import { cellsPerGroup } from '../../design/counting-sort.ts'
import { orderedPerGroup } from '../../design/order-layout.ts'
import type { Field, Resource, Shader } from '../../design/shader.ts'
import { wgsl } from '../../design/wgsl.ts'
import { shader } from '../wgsl/shader.ts'
import { entry } from './entry.ts'
import { runningSum } from './running-sum.ts'

const workgroup = orderedPerGroup
/** Cells of an invocation. */
const own = cellsPerGroup / workgroup

export const order: Resource = { key: 'order', access: 'read_write', type: 'u32' }
export const countedOrder: Resource = { ...order, type: 'atomic<u32>' }
/** The cell of each point, and then its number among the points of that cell. */
export const keys: Resource = { key: 'keys', access: 'read_write', type: 'u32' }

export const countField: Field = { name: 'count', type: 'u32', note: 'number of points' }
export const orderField: Field = { name: 'orderFirst', type: 'u32', note: 'where their order starts' }
export const startsField: Field = {
  name: 'starts',
  type: 'u32',
  note: 'where in order the counts of cells start, and then their first places',
}
export const sumsField: Field = {
  name: 'sums',
  type: 'u32',
  note: 'where in order their sums start, one for each workgroup',
}
export const crowdedField: Field = {
  name: 'crowded',
  type: 'u32',
  note: 'where order says how many levels have a crowded cell',
}
/** Fields of the shaders that know the level of the cells. */
export const levelFields: readonly Field[] = [
  startsField,
  { name: 'stride', type: 'u32', note: 'from the counts of a level to those of the next, which take turns' },
  crowdedField,
]

/** A function for the place of the counts of a level; the first is 1. */
export const countsOf: string = wgsl`
fn countsOf(level: u32) -> u32 { return run.starts + ((level + 1u) & 1u) * run.stride; }`

/** The place of the counts of the last level. */
const lastCounts = 'countsOf(order[run.crowded] + 1u)'

/** How counts are added up. */
export interface Summing {
  readonly fields: readonly Field[]
  /** Arrays that the statements at the start read. */
  readonly resources?: readonly Resource[]
  /** Functions and variables to declare. */
  readonly functions: string
  /** Statements at the start, where some shaders end. */
  readonly start: string
  /** Where the counts are. */
  readonly counts: string
  /** The number that a count adds to the sum. */
  readonly adds: (count: string) => string
  /** What else happens to a count at its place `at`. */
  readonly also?: (at: string) => string
  /** What replaces a count, given the sum of those before: statements at the cell's place `at`. */
  readonly replaced: (at: string, count: string, before: string) => string
}

/** The shaders that add up the counts of the cells of each workgroup, and those of all earlier cells. */
export function summing(name: string, how: Summing): readonly [sum: Shader, start: Shader] {
  const { fields, resources = [], functions, start, counts, adds, also = () => '', replaced } = how
  const arrays = { resources: [order, ...resources], workgroup }
  const sum = shader(
    {
      ...{ label: `${name}: add up the counts of each workgroup`, ...arrays },
      ...{ fields: [...fields, sumsField], memory: 8 },
    },
    wgsl`
var<workgroup> all: atomic<u32>;
${functions}

${entry(
  workgroup,
  wgsl`${start}
let part = group.x + group.z * groups.x;
let counts = ${counts};
if (lane == 0u) { atomicStore(&all, 0u); }
workgroupBarrier();
var sum = 0u;
for (var n = 0u; n < ${own}u; n++) {
  let at = part * ${cellsPerGroup}u + n * ${workgroup}u + lane;
  sum += ${adds('order[counts + at]')};
  ${also('at')}
}
atomicAdd(&all, sum);
workgroupBarrier();
if (lane == 0u) { order[run.sums + part] = atomicLoad(&all); }`,
)}`,
  )
  const places = shader(
    {
      ...{ label: `${name}: find the first place of each`, ...arrays },
      ...{ fields: [...fields, sumsField], memory: 4 * workgroup + 8 },
    },
    wgsl`
var<workgroup> before: atomic<u32>;
${functions}
${runningSum(workgroup)}

${entry(
  workgroup,
  wgsl`${start}
let part = group.x + group.z * groups.x;
let counts = ${counts};
if (lane == 0u) { atomicStore(&before, 0u); }
workgroupBarrier();
var earlier = 0u;
for (var other = lane; other < part; other += ${workgroup}u) { earlier += order[run.sums + other]; }
atomicAdd(&before, earlier);
let first = counts + part * ${cellsPerGroup}u + lane * ${own}u;
var sum = 0u;
for (var n = 0u; n < ${own}u; n++) { sum += ${adds('order[first + n]')}; }
// Its barriers also end the sum over earlier workgroups.
var place = runningSum(sum, lane) - sum + atomicLoad(&before);
for (var n = 0u; n < ${own}u; n++) {
  let found = order[first + n];
  ${replaced('first + n', 'found', 'place')}
  place += ${adds('found')};
}`,
)}`,
  )
  return [sum, places]
}

/** Clears the counts of the first level. */
const clearCells = shader(
  { label: 'cells: clear the counts', resources: [order], fields: [startsField, crowdedField], workgroup },
  entry(
    workgroup,
    wgsl`let part = group.x + group.z * groups.x;
for (var n = 0u; n < ${own}u; n++) {
  order[run.starts + part * ${cellsPerGroup}u + n * ${workgroup}u + lane] = 0u;
}
if (part == 0u && lane == 0u) { order[run.crowded] = 0u; }`,
  ),
)

const ofLevels = { fields: levelFields, functions: countsOf, start: '', counts: lastCounts }

/** Replace each count of the last level by the number of points in earlier cells. */
const [sumCells, startCells] = summing('cells', {
  ...ofLevels,
  adds: (count) => count,
  replaced: (at, _, before) => `order[${at}] = ${before};`,
})

/** The shader that puts each point into a place of its cell, in the order in which points were counted. */
export const placing = (
  name: string,
  { fields, resources = [], functions, start, counts }: Omit<Summing, 'adds' | 'also' | 'replaced'>,
): Shader =>
  shader(
    {
      label: `${name}: put points into places`,
      resources: [{ ...keys, access: 'read' }, order, ...resources],
      ...{ fields: [countField, orderField, ...fields], workgroup },
    },
    wgsl`
${functions}

${entry(
  workgroup,
  wgsl`${start}
let p = (group.x + group.z * groups.x) * ${workgroup}u + lane;
if (p >= run.count) { return; }
let starts = ${counts};
order[run.orderFirst + run.count + order[starts + keys[p]] + keys[run.count + p]] = p;`,
)}`,
  )

/** Declares the point `j` of a `place`, its `cell`, and the place where it `goes` by its index among the points of the cell. */
export const rankedPlace = (counts: string): string => wgsl`let placed = run.orderFirst + run.count;
let j = order[placed + place];
let cell = keys[j];
let starts = ${counts};
let last = order[starts + cell + 1u];
var goes = order[starts + cell];
for (var other = goes; other < last; other++) { goes += select(0u, 1u, order[placed + other] < j); }`

/** The same for cells of several levels. */
export const rankedOfLevels: string = rankedPlace(lastCounts)

/** The shaders that do not depend on the set of points. */
export const cellShaders: Readonly<Record<'clearCells' | 'sumCells' | 'startCells' | 'placePoints', Shader>> = {
  ...{ clearCells, sumCells, startCells, placePoints: placing('cells', ofLevels) },
}
