/**
 * Points to a grid, and fields of a grid to points, in WGSL. Each grid point adds up the points whose windows contain it, in their
 * order, so that the bits of a grid do not depend on how a device runs its invocations.
 *
 * @module
 */
import { gridKeys } from '../../design/grid-design.ts'
import { orderedPerGroup } from '../../design/order-layout.ts'
import type { Field, Resource, Shader } from '../../design/shader.ts'
import { wgsl } from '../../design/wgsl.ts'
import { countField, order, orderField, startsField } from '../ranges/counting-sort.ts'
import { entry } from '../ranges/entry.ts'
import { shader } from '../wgsl/shader.ts'
import { recordWords, records, sizeFields, windowValue } from './windows.ts'

const workgroup = orderedPerGroup

export const gridsResource: Resource = { key: 'grids', access: 'read_write', type: 'f32' }
const numbersField: Field = { name: 'numbers', type: 'u32', note: 'how many numbers a grid has' }

/** One invocation for each number of a grid. @param weights how many a point has: each has a grid */
export function spreadShader(width: number, weights: number): Shader {
  const words = recordWords(width, weights)
  const each = Array.from({ length: weights }, (_, n) => n)
  return shader(
    {
      label: `grid: spread, width ${width}, ${weights} weights`,
      resources: [{ ...order, access: 'read' }, records, gridsResource],
      fields: [startsField, ...sizeFields, numbersField],
      workgroup,
    },
    wgsl`
${entry(
  workgroup,
  wgsl`let n = (group.x + group.z * groups.x) * ${workgroup}u + lane;
if (n >= run.numbers) { return; }
let z = n % run.size_z;
let y = (n / run.size_z) % run.size_y;
let x = n / (run.size_z * run.size_y);
${each.map((k) => `var sum_${k} = 0.0;`)}
for (var a = 0u; a < ${width}u; a++) {
  let alongX = select(x - a, x + run.size_x - a, x < a);
  for (var b = 0u; b < ${width}u; b++) {
    let alongY = select(y - b, y + run.size_y - b, y < b);
    let row = (alongX * run.size_y + alongY) * run.size_z;
    // Windows begin up to here along z, and some of them before the end of the row if they reach around it.
    let least = select(z - ${width - 1}u, 0u, z < ${width - 1}u);
    let around = select(0u, ${width - 1}u - z, z < ${width - 1}u);
    for (var part = 0u; part < select(1u, 2u, around > 0u); part++) {
      let begin = row + select(run.size_z - around, least, part == 0u);
      let end = row + select(run.size_z, z + 1u, part == 0u);
      let last = order[run.starts + end];
      for (var p = order[run.starts + begin]; p < last; p++) {
        let at = p * ${words}u;
        let first = records[at] - row;
        let c = select(z - first, z + run.size_z - first, z < first);
        let value = ${windowValue('at', 0, 'a', width, weights)} * ${windowValue('at', 1, 'b', width, weights)} * ${windowValue('at', 2, 'c', width, weights)};
        ${each.map((k) => `sum_${k} += bitcast<f32>(records[at + ${1 + k}u]) * value;`)}
      }
    }
  }
}
${each.map((k) => `grids[${k}u * run.numbers + n] = sum_${k};`)}`,
)}`,
  )
}

/**
 * One invocation for each point in order. The numbers of all fields at a grid point are side by side.
 *
 * @param weights how many the record of a point has
 */
export function gatherShader(width: number, weights: number, fields: number): Shader {
  const words = recordWords(width, weights)
  const each = Array.from({ length: fields }, (_, n) => n)
  return shader(
    {
      label: `grid: gather ${fields} fields, width ${width}, ${weights} weights`,
      resources: [
        { ...order, access: 'read' },
        records,
        { ...gridsResource, access: 'read' },
        { key: gridKeys.found, access: 'read_write', type: 'f32' },
      ],
      fields: [countField, orderField, ...sizeFields],
      workgroup,
    },
    wgsl`
${entry(
  workgroup,
  wgsl`let p = (group.x + group.z * groups.x) * ${workgroup}u + lane;
if (p >= run.count) { return; }
let at = p * ${words}u;
let cell = records[at];
let z = cell % run.size_z;
let y = (cell / run.size_z) % run.size_y;
let x = cell / (run.size_z * run.size_y);
${each.map((f) => `var sum_${f} = 0.0;`)}
for (var a = 0u; a < ${width}u; a++) {
  let alongX = select(x + a, x + a - run.size_x, x + a >= run.size_x);
  let valueX = ${windowValue('at', 0, 'a', width, weights)};
  for (var b = 0u; b < ${width}u; b++) {
    let alongY = select(y + b, y + b - run.size_y, y + b >= run.size_y);
    let value = valueX * ${windowValue('at', 1, 'b', width, weights)};
    let row = (alongX * run.size_y + alongY) * run.size_z;
    for (var c = 0u; c < ${width}u; c++) {
      let alongZ = select(z + c, z + c - run.size_z, z + c >= run.size_z);
      let share = value * ${windowValue('at', 2, 'c', width, weights)};
      let numbers = (row + alongZ) * ${fields}u;
      ${each.map((f) => `sum_${f} += share * grids[numbers + ${f}u];`)}
    }
  }
}
let j = order[run.orderFirst + p];
${each.map((f) => `found[j * ${fields}u + ${f}u] = sum_${f};`)}`,
)}`,
  )
}
