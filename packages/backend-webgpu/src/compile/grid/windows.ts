/**
 * Points in the order of the first grid points of their windows, with the values of their windows, in WGSL. `counting-sort.ts` puts
 * them in order.
 *
 * The record of a point has its cell, which is the number of the first grid point of its window, its weights, and the values of its
 * window along x, y and z.
 *
 * @module
 */
import type { GridSum } from '@manybody/core/backend'
import { type GridSide, gridKeys } from '../../design/grid-design.ts'
import { orderedPerGroup } from '../../design/order-layout.ts'
import { arrayName, type Field, type Resource, type Shader } from '../../design/shader.ts'
import { wgsl } from '../../design/wgsl.ts'
import {
  countedOrder,
  countField,
  countsOf,
  keys,
  levelFields,
  orderField,
  rankedOfLevels,
  startsField,
} from '../ranges/counting-sort.ts'
import { entry } from '../ranges/entry.ts'
import { shader } from '../wgsl/shader.ts'

const axes = ['x', 'y', 'z'] as const
const workgroup = orderedPerGroup

const sizeFields: readonly Field[] = axes.map((axis) => ({
  name: `size_${axis}`,
  type: 'u32',
  note: `number of grid points along ${axis}`,
}))

/** Cells count these grid points alone. */
export const usedFields: readonly Field[] = axes.map((axis) => ({
  name: `used_${axis}`,
  type: 'u32',
  note: `number of grid points along ${axis} that the grid holds`,
}))

export const records: Resource = { key: 'records', access: 'read', type: 'u32' }

/** What the records of points depend on. */
export interface RecordForm {
  /** Of the points. In a plane, they have windows along x and z alone. */
  readonly dimension: 2 | 3
  readonly width: number
  /** How many weights a point has: 0 for targets. */
  readonly weights: number
}

/** Words of a record. */
export const recordWords = ({ dimension, width, weights }: RecordForm): number => 1 + weights + dimension * width

type Axis = (typeof axes)[number]

/** The axes of the grid that points have coordinates along. */
const axesOf = (dimension: 2 | 3): readonly Axis[] => (dimension === 2 ? ['x', 'z'] : axes)

/** The value of a window along an axis, in the record at word `at`. */
export const windowValue = (at: string, axis: Axis, n: string, { dimension, width, weights }: RecordForm): string =>
  `bitcast<f32>(records[${at} + ${1 + weights + axesOf(dimension).indexOf(axis) * width}u + ${n}])`

/** A function that finds the window around a point along an axis. Places count in grid points. */
function windowFunction(width: number): string {
  const isOdd = width % 2 === 1
  return wgsl`
// The first grid point of a window, and where in its pieces the point is, from -1 to 1.
struct Window {
  first: u32,
  x: f32,
}
fn windowAt(share: u32, size: u32) -> Window {
  let low = size * (share & 0xffffu);
  let high = size * (share >> 16u) + (low >> 16u);
  let rest = f32((high << 16u) | (low & 0xffffu)) * 0x1p-32f;
  let after = rest > ${isOdd ? '0.5' : '0.0'};
  let first = (high >> 16u) + select(0u, 1u, after) + size - ${Math.floor(width / 2)}u;
  return Window(select(first, first - size, first >= size), 2.0 * (select(0.0, 1.0, after) - rest) ${isOdd ? '' : '- 1.0'});
}`
}

const sharesOf = (side: GridSide): Resource => ({ key: gridKeys.shares(side), access: 'read', type: 'u32' })

type PointGrid = Pick<GridSum, 'dimension' | 'window'>

/** Finds the cell of each point, and its number among the points of that cell. */
export function countWindows(side: GridSide, { dimension, window: { width } }: PointGrid): Shader {
  const shares = arrayName(gridKeys.shares(side))
  return shader(
    {
      label: `grid: count ${side} of width ${width} in ${dimension}-D`,
      resources: [sharesOf(side), countedOrder, keys],
      fields: [countField, startsField, ...sizeFields, ...usedFields],
      workgroup,
    },
    wgsl`
${windowFunction(width)}
${entry(
  workgroup,
  wgsl`let p = (group.x + group.z * groups.x) * ${workgroup}u + lane;
if (p >= run.count) { return; }
${axesOf(dimension).map((axis, n) => `let ${axis} = windowAt(${shares}[${dimension}u * p + ${n}u], run.size_${axis}).first;`)}
let cell = ${dimension === 2 ? 'x' : '(x * run.used_y + y)'} * run.used_z + z;
keys[p] = cell;
keys[run.count + p] = atomicAdd(&order[run.starts + cell], 1u);`,
)}`,
  )
}

/** Writes the records of the points in order. @param weights how many each has; 0 for targets */
export function recordWindows(
  side: GridSide,
  { dimension, window: { width, degree } }: PointGrid,
  weights: number,
): Shader {
  const shares = arrayName(gridKeys.shares(side))
  const values = axesOf(dimension).map(
    (axis, n) => wgsl`{
  let x = windowAt(${shares}[${dimension}u * j + ${n}u], run.size_${axis}).x;
  for (var a = 0u; a < ${width}u; a++) {
    var value = pieces[${degree * width}u + a];
    for (var power = ${degree}; power > 0; power--) { value = value * x + pieces[u32(power - 1) * ${width}u + a]; }
    records[at + ${1 + weights + n * width}u + a] = bitcast<u32>(value);
  }
}`,
  )
  return shader(
    {
      label: `grid: record ${side}, width ${width}, ${weights} weights in ${dimension}-D`,
      resources: [
        sharesOf(side),
        { key: gridKeys.weights, access: 'read', type: 'f32' },
        { key: 'pieces', access: 'read', type: 'f32' },
        { ...keys, access: 'read' },
        { key: 'order', access: 'read_write', type: 'u32' },
        { ...records, access: 'read_write' },
      ],
      fields: [countField, orderField, ...levelFields, ...sizeFields],
      workgroup,
    },
    wgsl`
${windowFunction(width)}
${countsOf}
${entry(
  workgroup,
  wgsl`let place = (group.x + group.z * groups.x) * ${workgroup}u + lane;
if (place >= run.count) { return; }
${rankedOfLevels}
order[run.orderFirst + goes] = j;
let at = goes * ${recordWords({ dimension, width, weights })}u;
records[at] = cell;
${Array.from({ length: weights }, (_, n) => `records[at + ${1 + n}u] = bitcast<u32>(weights[${n}u * run.count + j]);`)}
${values}`,
)}`,
  )
}
