/**
 * The design of a sum through a grid as a stage of a sequence: positions and weights come from arrays of the sequence, and fields go to
 * others.
 *
 * @module
 */
import type { GridSum } from '@manybody/core/backend'
import { type GridDesigner, gridKeys } from '../../design/grid-design.ts'
import { orderedPerGroup, pointGroups } from '../../design/order-layout.ts'
import type { Dispatch, Field, Shader } from '../../design/shader.ts'
import { wgsl } from '../../design/wgsl.ts'
import { arrayName } from '../../designs/loaded-at-once.ts'
import { countField } from '../ranges/counting-sort.ts'
import { entry } from '../ranges/entry.ts'
import { shader } from '../wgsl/shader.ts'
import { gridDesign } from './grid-design.ts'

const workgroup = orderedPerGroup
const axes = ['x', 'y', 'z'] as const

const gridStage: GridDesigner['stage'] = (sum, points, limits) => {
  const design = gridDesign(sum, { sources: points, targets: undefined }, limits)
  const each = (length: number, of: (n: number) => Shader): readonly Dispatch[] =>
    Array.from({ length }, (_, n) => {
      const values = { count: points, first: n * points, at: n, each: length }
      return { shader: of(n), values, size: pointGroups(points) }
    })
  const numbers = sum.dimension * points
  const places = { count: numbers, ...lengthValues(sum.lengths) }
  return (
    design && {
      ...design,
      dispatches: [
        { shader: sharesShader(sum.dimension), values: places, size: pointGroups(numbers) },
        ...each(sum.weights, weightShader),
        ...design.dispatches,
        ...each(sum.fields.length, fieldShader),
      ],
    }
  )
}

export const gridDesigner: GridDesigner = { sum: gridDesign, stage: gridStage }

const lengthValues = (lengths: GridSum['lengths']) =>
  Object.fromEntries(axes.map((axis, n) => [`length_${axis}`, lengths[n] as number]))

const lengthFields: readonly Field[] = axes.map((axis) => ({
  name: `length_${axis}`,
  type: 'f32',
  note: `length of the box along ${axis}`,
}))

const shares = gridKeys.shares('sources')

/** Coordinates as shares of the edges of the box, in units of 2^-32. */
const sharesShader = (dimension: 2 | 3): Shader =>
  shader(
    {
      label: `grid: places in ${dimension}-D as shares of the box`,
      resources: [
        { key: gridKeys.position, access: 'read', type: 'f32' },
        { key: shares, access: 'read_write', type: 'u32' },
      ],
      fields: [countField, ...lengthFields],
      workgroup,
    },
    entry(
      workgroup,
      wgsl`let at = (group.x + group.z * groups.x) * ${workgroup}u + lane;
if (at >= run.count) { return; }
let axis = at % ${dimension}u;
let edge = ${dimension === 2 ? 'select(run.length_z, run.length_x, axis == 0u)' : 'select(select(run.length_z, run.length_y, axis == 1u), run.length_x, axis == 0u)'};
let x = position[at];
let rest = fma(-floor(x / edge), edge, x);
// Rounding may leave it a little outside the box. The last number is the largest below 2^32.
${arrayName(shares)}[at] = u32(clamp(rest / edge * 4294967296.0, 0.0, 4294967040.0));`,
    ),
  )

/** Puts the numbers of a weight beside those of others. */
const weightShader = (n: number): Shader => {
  const from = gridKeys.weight(n)
  const first: Field = { name: 'first', type: 'u32', note: 'where the numbers of this weight start' }
  return copyShader('weight', from, gridKeys.weights, [first], `weights[run.first + at] = ${arrayName(from)}[at];`)
}

/** Takes the numbers of a field out of those of all. */
const fieldShader = (n: number): Shader => {
  const fields: readonly Field[] = [
    { name: 'each', type: 'u32', note: 'number of fields' },
    { name: 'at', type: 'u32', note: 'the number of this one' },
  ]
  const to = gridKeys.field(n)
  return copyShader('field', gridKeys.found, to, fields, `${arrayName(to)}[at] = found[at * run.each + run.at];`)
}

function copyShader(what: string, from: string, to: string, fields: readonly Field[], body: string): Shader {
  return shader(
    {
      label: `grid: numbers of a ${what}`,
      resources: [
        { key: from, access: 'read', type: 'f32' },
        { key: to, access: 'read_write', type: 'f32' },
      ],
      fields: [countField, ...fields],
      workgroup,
    },
    entry(
      workgroup,
      wgsl`let at = (group.x + group.z * groups.x) * ${workgroup}u + lane;
if (at < run.count) { ${body} }`,
    ),
  )
}
