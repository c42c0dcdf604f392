/**
 * Numbers the cells of a grid over a periodic box, row by row, and counts the points of each, in WGSL. `counting-sort.ts` puts
 * the points in their order.
 *
 * @module
 */
import type { Dimension } from '@manybody/core'
import { axesOf } from '@manybody/core/backend'
import { gridFields } from '../../design/cell-layout.ts'
import { orderedPerGroup } from '../../design/order-layout.ts'
import { arrayName, type Resource, type Shader } from '../../design/shader.ts'
import { type BoxSpace, lengthFields } from '../../design/space.ts'
import { wgsl } from '../../design/wgsl.ts'
import { shader } from '../wgsl/shader.ts'
import { notFinite } from './boxes.ts'
import { countedOrder, countField, keys, startsField } from './counting-sort.ts'
import { entry } from './entry.ts'
import { sharedShader } from './shared-shaders.ts'
import { insideOf, vectorOf } from './space.ts'

const workgroup = orderedPerGroup

/** The place of a point inside the box. A point far outside loses digits when it is moved, and is moved again. */
export const insideBox = (space: BoxSpace, x: string): string => insideOf(space).of(insideOf(space).of(x))

/** Whether a place has no cell: it is not finite, or so far away that moving it has not brought it near the box. */
export function withoutCell(space: BoxSpace, inside: string): string {
  const lengths = `${vectorOf(space).type}(${axesOf(space.dimension)
    .map((axis) => `run.length_${axis}`)
    .join(', ')})`
  return `(${notFinite(space, inside)} || any(abs(${inside} - 0.5 * ${lengths}) > 0.75 * ${lengths}))`
}

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
