/**
 * The loop over points in WGSL, with one invocation per point: maps, and the grid cell of each point.
 *
 * Positions are interleaved, so neighbouring invocations read every third number. `direct` leaves that to the cache; `staged`
 * first loads the numbers of a workgroup in order into workgroup memory.
 *
 * @module
 */
import type { Grid, MapWorkload, Shape } from '@manybody/core'
import { type ElementBody, type LoadPlace, loadPlace } from '@manybody/core/expression'
import type { Field, Resource, Shader } from '../../design/shader.ts'
import { wgsl } from '../../design/wgsl.ts'
import { numberAt, pointStatements, writeTexts } from '../parts/point-statements.ts'
import { hostText } from '../wgsl/operators.ts'
import { shader } from '../wgsl/shader.ts'

export type ParticleVariant = 'direct' | 'staged'

export interface ParticleLoopOptions {
  readonly body: ElementBody
  readonly shape: Pick<Shape, 'dimension' | 'vectors'>
  readonly variant: ParticleVariant
  readonly workgroup: number
  /** Values of other points that a map reads. */
  readonly gather?: MapWorkload['gather']
  /** The grid of a cell index. The output components are then the cells along each axis. */
  readonly grid?: Grid
}

export function particleLoop(label: string, options: ParticleLoopOptions): Shader {
  const { body, shape, variant, workgroup, gather, grid } = options
  const { dimension } = shape
  const vectors = [...new Set([...shape.vectors, ...(grid ? ['position'] : [])])]
  const places = new Map(body.loads.map((load) => [load, loadPlace(load, { ...(gather && { gather }) }, { vectors })]))
  const arraysOf = (gathered: boolean) => [
    ...new Set([...places.values()].filter(({ at }) => (at !== undefined) === gathered).map(({ array }) => array)),
  ]
  const [arrays, others] = [arraysOf(false), arraysOf(true)]
  const staged = variant === 'staged' ? arrays.filter((name) => vectors.includes(name)) : []
  const stagedName = (name: string) => `staged${staged.indexOf(name)}`
  const load = (name: string, loaded: (name: string) => string) => {
    const { array, axis, at } = places.get(name) as LoadPlace
    const number = (point: string) => numberAt(point, axis, dimension)
    if (at !== undefined) return `sources_${array}[${number(`u32(${loaded(at)})`)}]`
    return staged.includes(array) ? `${stagedName(array)}[${number('lane')}]` : `points_${array}[${number('p')}]`
  }
  const names = { load, output: (name: string) => `result_${name}`, run: (name: string) => `run.${name}` }
  const { compute, writes } = pointStatements(body, names, grid)

  const memory = staged.map((name) => `var<workgroup> ${stagedName(name)}: array<f32, ${dimension * workgroup}>;`)
  const stage = wgsl`
// Neighbouring invocations load neighbouring numbers, whichever point these belong to.
for (var at = lane; at < ${dimension * workgroup}u; at += ${workgroup}u) {
  if (${dimension}u * first + at < ${dimension}u * run.count) {
    ${staged.map((name) => `${stagedName(name)}[at] = points_${name}[${dimension}u * first + at];`)}
  }
}
workgroupBarrier();`
  const stageNumbers = staged.length > 0 ? stage : ''
  const shaderBody = wgsl`
${memory}
@compute @workgroup_size(${workgroup})
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  // The first point of this workgroup, and the point of this invocation.
  let first = (group.x + group.z * groups.x) * ${workgroup}u;
  let p = first + lane;
  ${stageNumbers}
  if (p >= run.count) { return; }
  ${compute}
  ${writeTexts(writes)}
}
`
  const fields: readonly Field[] = [
    { name: 'count', type: 'u32', note: 'points' },
    ...body.run.map(({ name, expr }): Field => ({ name, type: 'f32', note: hostText(expr) })),
  ]
  return shader(
    {
      label,
      resources: [
        ...arrays.map((name): Resource => ({ key: `points.${name}`, access: 'read', type: 'f32' })),
        ...others.map((name): Resource => ({ key: `sources.${name}`, access: 'read', type: 'f32' })),
        ...Object.keys(body.outputs).map((name): Resource => {
          return { key: `result.${name}`, access: 'read_write', type: grid ? 'i32' : 'f32' }
        }),
      ],
      fields,
      workgroup,
      memory: 4 * dimension * workgroup * staged.length,
    },
    shaderBody,
  )
}
