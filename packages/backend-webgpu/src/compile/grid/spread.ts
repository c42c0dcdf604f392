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
import { type RecordForm, records, recordWords, usedFields, windowValue } from './windows.ts'

const workgroup = orderedPerGroup

export const gridsResource: Resource = { key: 'grids', access: 'read_write', type: 'f32' }
const numbersField: Field = { name: 'numbers', type: 'u32', note: 'how many numbers a grid has' }

/** Numbers of an invocation, side by side along z, so that it finds the points of a row once for all of them. */
const together = 4

/** The invocations that spread points to a grid of this size. */
export const spreaders = ([x, y, z]: readonly [number, number, number]): number => x * y * Math.ceil(z / together)

/** Each weight of a point has a grid. */
export function spreadShader(form: RecordForm): Shader {
  const { dimension, width, weights } = form
  const words = recordWords(form)
  const isPlane = dimension === 2
  const rows = isPlane ? 1 : width
  const each = Array.from({ length: weights }, (_, n) => n)
  const sides = Array.from({ length: together }, (_, n) => n)
  const visit = (begin: string, end: string, row: string) => wgsl`last = order[run.starts + ${end}];
for (var p = order[run.starts + ${begin}]; p < last; p++) {
  let at = p * ${words}u;
  let value = ${windowValue('at', 'x', 'a', form)}${isPlane ? '' : ` * ${windowValue('at', 'y', 'b', form)}`};
  let c = i32(z + ${row} - records[at]);
  ${each.map((k) => `let weight_${k} = bitcast<f32>(records[at + ${1 + k}u]) * value;`)}
  ${sides.map(
    (n) => wgsl`if (c >= ${-n} && c < ${width - n}) {
  let share = ${windowValue('at', 'z', `u32(c + ${n})`, form)};
  ${each.map((k) => `sum_${k}[${n}] += weight_${k} * share;`)}
}`,
  )}
}`
  return shader(
    {
      label: `grid: spread, width ${width}, ${weights} weights in ${dimension}-D`,
      resources: [{ ...order, access: 'read' }, records, gridsResource],
      fields: [startsField, ...usedFields, numbersField],
      workgroup,
    },
    wgsl`
${entry(
  workgroup,
  wgsl`let part = (group.x + group.z * groups.x) * ${workgroup}u + lane;
let along = (run.used_z + ${together - 1}u) / ${together}u;
let z = (part % along) * ${together}u;
let y = (part / along) % run.used_y;
let x = part / (along * run.used_y);
if (x >= run.used_x) { return; }
// Windows begin from here to there along z, and some before the end of the row, if they reach around it.
let least = select(z - ${width - 1}u, 0u, z < ${width - 1}u);
let most = min(z + ${together}u, run.used_z);
let around = select(0u, ${width - 1}u - z, z < ${width - 1}u);
var last = 0u;
${each.map((k) => `var sum_${k} = vec${together}f();`)}
for (var a = 0u; a < ${width}u; a++) {
  let alongX = select(x - a, x + run.used_x - a, x < a);
  for (var b = 0u; b < ${rows}u; b++) {
    let alongY = select(y - b, y + run.used_y - b, y < b);
    let row = (alongX * run.used_y + alongY) * run.used_z;
    ${visit('row + least', 'row + most', 'row')}
    if (around == 0u) { continue; }
    let next = row + run.used_z;
    ${visit('next - around', 'next', 'next')}
  }
}
let first = (x * run.used_y + y) * run.used_z + z;
${sides.map(
  (n) => wgsl`if (z + ${n}u < run.used_z) {
  ${each.map((k) => `grids[${k}u * run.numbers + first + ${n}u] = sum_${k}[${n}];`)}
}`,
)}`,
)}`,
  )
}

/** One invocation for each point in order. */
export function gatherShader(form: RecordForm, fields: number): Shader {
  const { dimension, width, weights } = form
  const words = recordWords(form)
  const isPlane = dimension === 2
  const rows = isPlane ? 1 : width
  const each = Array.from({ length: fields }, (_, n) => n)
  return shader(
    {
      label: `grid: gather ${fields} fields, width ${width}, ${weights} weights in ${dimension}-D`,
      resources: [
        { ...order, access: 'read' },
        records,
        { ...gridsResource, access: 'read' },
        { key: gridKeys.found, access: 'read_write', type: 'f32' },
      ],
      fields: [countField, orderField, ...usedFields, numbersField],
      workgroup,
    },
    wgsl`
${entry(
  workgroup,
  wgsl`let p = (group.x + group.z * groups.x) * ${workgroup}u + lane;
if (p >= run.count) { return; }
let at = p * ${words}u;
let cell = records[at];
let z = cell % run.used_z;
let y = (cell / run.used_z) % run.used_y;
let x = cell / (run.used_z * run.used_y);
${each.map((f) => `var sum_${f} = 0.0;`)}
for (var a = 0u; a < ${width}u; a++) {
  let alongX = select(x + a, x + a - run.used_x, x + a >= run.used_x);
  let valueX = ${windowValue('at', 'x', 'a', form)};
  for (var b = 0u; b < ${rows}u; b++) {
    let alongY = select(y + b, y + b - run.used_y, y + b >= run.used_y);
    let value = valueX${isPlane ? '' : ` * ${windowValue('at', 'y', 'b', form)}`};
    let row = (alongX * run.used_y + alongY) * run.used_z;
    for (var c = 0u; c < ${width}u; c++) {
      let alongZ = select(z + c, z + c - run.used_z, z + c >= run.used_z);
      let share = value * ${windowValue('at', 'z', 'c', form)};
      ${each.map((f) => `sum_${f} += share * grids[${f}u * run.numbers + row + alongZ];`)}
    }
  }
}
let j = order[run.orderFirst + p];
${each.map((f) => `found[j * ${fields}u + ${f}u] = sum_${f};`)}`,
)}`,
  )
}
