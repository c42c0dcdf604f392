/**
 * The loop of stencils over grid cells, in WGSL. `direct` has one invocation per cell. In `marching` each invocation walks
 * along the last axis and keeps the cell below and the current one, so that it loads only one of three planes.
 *
 * @module
 */
import type { Grid } from '@manybody/core'
import { type Axis, axes } from '@manybody/core/backend'
import type { ElementBody } from '@manybody/core/expression'
import type { Field, Shader } from '../../design/shader.ts'
import { wgsl } from '../../design/wgsl.ts'
import { hostText, wgslText } from '../wgsl/operators.ts'
import { shader } from '../wgsl/shader.ts'

export type GridVariant = 'direct' | 'marching'

/** Number of cells that a marching invocation visits. */
export const marchLength = 16

export function gridLoop(
  label: string,
  body: ElementBody,
  grid: Grid,
  variant: GridVariant,
  workgroup: number,
): Shader {
  const runNames = new Set(body.run.map((b) => b.name))
  const text = (e: Parameters<typeof wgslText>[0]) => wgslText(e, (name) => (runNames.has(name) ? `run.${name}` : name))
  const last = grid.cells.length - 1
  const strides = grid.cells.map((_, axis) => grid.cells.slice(0, axis).reduce((product, n) => product * n, 1))
  const along = (axis: number) => `i${axes[axis]}`
  const neighbour = (axis: number, step: 'm' | 'p') => neighbourIndex(grid, axis, step, strides[axis] ?? 1)
  const loads = body.loads.filter((name) => name !== 'c')
  const load = (name: string) => {
    const axis = axes.indexOf(name[0] as Axis)
    const at = neighbour(axis, name.endsWith('m') ? 'm' : 'p')
    return `let ${name} = points_field[${at}];`
  }
  const outputs = Object.entries(body.outputs).flatMap(([name, components]) =>
    components.map((e, c) => {
      const at = components.length === 1 ? 'cell' : `${components.length}u * cell + ${c}u`
      return `result_${name}[${at}] = ${text(e)};`
    }),
  )
  const compute = [...body.loop.map((b) => `let ${b.name} = ${text(b.expr)};`), ...outputs]
  const coordinates = (count: number, from: string) =>
    grid.cells.slice(0, count).map((n, axis) => {
      const divided = strides[axis] === 1 ? from : `${from} / ${strides[axis]}u`
      return `let ${along(axis)} = (${divided}) % ${n}u;`
    })

  const centre = body.loads.includes('c') ? 'let c = points_field[cell];' : ''
  const direct = wgsl`// One invocation per cell; x runs fastest.
let cell = (group.x + group.z * groups.x) * ${workgroup}u + lane;
if (cell >= run.count) { return; }
${coordinates(last + 1, 'cell')}
${centre}
${[...loads.map(load), ...compute]}`

  const axisName = axes[last] ?? 'y'
  const [below, above] = [`${axisName}m`, `${axisName}p`]
  const stride = strides[last] ?? 1
  const planes = grid.cells[last] ?? 1
  const loadOthers = loads.filter((name) => name !== below && name !== above).map(load)
  const marching = wgsl`// One invocation per ${marchLength} cells of a column along ${axisName}; x runs fastest.
let column = (group.x + group.z * groups.x) * ${workgroup}u + lane;
if (column >= ${stride}u) { return; }
${coordinates(last, 'column')}
let start = group.y * ${marchLength}u;
var ${along(last)} = start;
var cell = column + ${stride}u * start;
var c = points_field[cell];
var ${below} = points_field[${neighbour(last, 'm')}];
// Each step loads the plane above only; the other two planes come from the step before.
while (${along(last)} < min(start + ${marchLength}u, ${planes}u)) {
  let ${above} = points_field[${neighbour(last, 'p')}];
  ${[...loadOthers, ...compute]}
  ${below} = c;
  c = ${above};
  ${along(last)}++;
  cell += ${stride}u;
}`
  const fields: readonly Field[] = [
    { name: 'count', type: 'u32', note: 'cells' },
    ...body.run.map(({ name, expr }): Field => ({ name, type: 'f32', note: hostText(expr) })),
  ]
  const loops = { direct, marching }
  const shaderBody = wgsl`
@compute @workgroup_size(${workgroup})
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  ${loops[variant]}
}
`
  return shader(
    {
      label,
      resources: [
        { key: 'points.field', access: 'read', type: 'f32' },
        ...Object.keys(body.outputs).map((name) => {
          return { key: `result.${name}`, access: 'read_write' as const, type: 'f32' as const }
        }),
      ],
      fields,
      workgroup,
    },
    shaderBody,
  )
}

/** The index of the cell next to `cell` along an axis. Beyond an edge it is on the opposite side, or the edge cell itself. */
function neighbourIndex(grid: Grid, axis: number, step: 'm' | 'p', stride: number): string {
  const n = grid.cells[axis] ?? 1
  const across = grid.edges === 'clamp' ? 0 : (n - 1) * stride
  const at = `i${axes[axis]}`
  return step === 'm'
    ? `select(cell - ${stride}u, cell + ${across}u, ${at} == 0u)`
    : `select(cell + ${stride}u, cell - ${across}u, ${at} == ${n - 1}u)`
}
