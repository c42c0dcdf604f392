/**
 * Puts points in the order of the cells of a grid, in WGSL: clears the counts of cells, numbers the cells row by row, and counts the points
 * of each. `counting-sort.ts` has the sort itself, and `gather-cells.ts` the last of the six dispatches.
 *
 * @module
 */
import type { Dimension } from '@manybody/core'
import { axesOf } from '@manybody/core/backend'
import { gridFields } from '../../design/cell-layout.ts'
import { orderedPerGroup } from '../../design/order-layout.ts'
import { arrayName, type Field, type Resource, type Shader } from '../../design/shader.ts'
import { type BoxSpace, lengthFields } from '../../design/space.ts'
import { wgsl } from '../../design/wgsl.ts'
import { shader } from '../wgsl/shader.ts'
import { notFinite } from './boxes.ts'
import { countedOrder, countField, keys, order, placing, startsField, summing, sumsField } from './counting-sort.ts'
import { entry } from './entry.ts'
import { insideBox } from './inside-box.ts'
import { insideOf, vectorOf } from './space.ts'
import type { When } from './when.ts'

const workgroup = orderedPerGroup

export const clearFields: readonly Field[] = [startsField, sumsField]

/** Clears the counts, with invocations whose number is `place`. */
export const clearing: string = wgsl`let invocations = groups.x * groups.z * ${workgroup}u;
for (var word = run.starts + place; word < run.sums; word += invocations) { order[word] = 0u; }`

export const clearCells: Shader = shader(
  { label: 'cells: clear the counts', resources: [order], fields: clearFields, workgroup },
  entry(
    workgroup,
    wgsl`let place = (group.x + group.z * groups.x) * ${workgroup}u + lane;
${clearing}`,
  ),
)

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

/** The number of a cell, from its cells along each axis: row by row. */
const cellNumber = (dimension: Dimension): string =>
  dimension === 2 ? '(along.y * run.cells_x + along.x)' : '((along.z * run.cells_y + along.y) * run.cells_x + along.x)'

/** Declares the position of point `p`. */
export const pointAt = (set: string, space: BoxSpace, name = 'x'): string =>
  `let ${name} = ${vectorOf(space).load(arrayName(`${set}.position`), 'p')};`

/** The shader that finds the cell of each point, and its number among the points of that cell. @param position declares the position `x` of point `p` */
export function writeCount(set: string, space: BoxSpace, { resources, fields, start }: When, position: string): Shader {
  const { dimension } = space
  const places: Resource = { key: `${set}.position`, access: 'read', type: 'f32' }
  return shader(
    {
      label: `cells: count ${set}`,
      resources: [places, countedOrder, keys, ...resources],
      fields: [countField, startsField, ...gridFields(dimension), ...lengthFields(space), ...fields],
      workgroup,
    },
    wgsl`
${insideOf(space).functions}
${cellFunction(dimension)}

${entry(
  workgroup,
  wgsl`${start}
let p = (group.x + group.z * groups.x) * ${workgroup}u + lane;
if (p >= run.count) { return; }
${position}
let along = cellAlong(${insideBox(space, 'x')});
let cell = select(${cellNumber(dimension)}, 0u, ${notFinite(space, 'x')});
keys[p] = cell;
keys[run.count + p] = atomicAdd(&order[run.starts + cell], 1u);`,
)}`,
  )
}

/** Where the counts are. */
export const cellCounts = 'run.starts'

/**
 * Add up the counts of each workgroup, replace each count by the number of points in earlier cells, and put points into places. If points were
 * to add to the sums while they are counted, a device would take turns for the many points of one sum, which took three times as long as the
 * rest of the sort.
 */
export function sortShaders({
  resources,
  start,
}: When): Readonly<Record<'sumCells' | 'startCells' | 'placePoints', Shader>> {
  const how = { fields: [startsField], resources, functions: '', start, counts: cellCounts }
  const [sumCells, startCells] = summing('cells', {
    ...how,
    adds: (count) => count,
    replaced: (at, _, before) => `order[${at}] = ${before};`,
  })
  return { sumCells, startCells, placePoints: placing('cells', how) }
}
