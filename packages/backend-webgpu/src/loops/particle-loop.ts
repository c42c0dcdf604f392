/**
 * The loop over points in WGSL, with one invocation per point: maps, and the grid cell of each point.
 *
 * Positions are interleaved, so neighbouring invocations read every third number. `direct` leaves that to the cache; `staged`
 * first loads the numbers of a workgroup in order into workgroup memory.
 *
 * @module
 */
import type { Grid, MapWorkload, Shape } from '@manybody/core'
import { type ElementBody, type LoadPlace, loadPlace } from '@manybody/core/backend'
import { hostText, wgslText } from '../wgsl/operators.ts'
import { type Field, type Resource, type Shader, shader } from '../wgsl/shader.ts'
import { wgsl } from '../wgsl/wgsl.ts'

export type ParticleVariant = 'direct' | 'staged'

export interface ParticleLoopOptions {
  readonly body: ElementBody
  readonly shape: Pick<Shape, 'dimension' | 'vectors'>
  readonly variant: ParticleVariant
  readonly workgroup: number
  /** Outputs that overwrite an input: the names of both. */
  readonly inPlace: ReadonlyMap<string, string>
  /** Values of other points that a map reads. */
  readonly gather?: MapWorkload['gather']
  /** The grid of a cell index, whose output components are the cells along each axis. */
  readonly grid?: Grid
}

export function particleLoop(label: string, options: ParticleLoopOptions): Shader {
  const { body, shape, variant, workgroup, inPlace, gather, grid } = options
  const { dimension } = shape
  const vectors = [...new Set([...shape.vectors, ...(grid ? ['position'] : [])])]
  const places = new Map(body.loads.map((load) => [load, loadPlace(load, { ...(gather && { gather }) }, { vectors })]))
  const arraysOf = (gathered: boolean) => [
    ...new Set([...places.values()].filter(({ at }) => (at !== undefined) === gathered).map(({ array }) => array)),
  ]
  const [arrays, others] = [arraysOf(false), arraysOf(true)]
  const staged = variant === 'staged' ? arrays.filter((name) => vectors.includes(name)) : []
  const runNames = new Set(body.run.map((b) => b.name))
  const text = (e: Parameters<typeof wgslText>[0]) =>
    wgslText(e, (name) => (runNames.has(name) ? `run.${name}` : body.loads.includes(name) ? loaded(name) : name))

  const loaded = (name: string) => `in${body.loads.indexOf(name)}`
  const stagedName = (name: string) => `staged${staged.indexOf(name)}`
  const load = (name: string) => {
    const { array, axis, at } = places.get(name) as LoadPlace
    const number = (point: string) => (axis === undefined ? point : `${dimension}u * ${point} + ${axis}u`)
    if (at !== undefined) return `let ${loaded(name)} = sources_${array}[${number(`u32(${loaded(at)})`)}];`
    if (staged.includes(array)) return `let ${loaded(name)} = ${stagedName(array)}[${number('lane')}];`
    return `let ${loaded(name)} = points_${array}[${number('p')}];`
  }
  const placeOf = (name: string) => (inPlace.has(name) ? `points_${inPlace.get(name)}` : `result_${name}`)
  const store = Object.entries(body.outputs).flatMap(([name, components], output) =>
    grid
      ? [cellText(components.map(text), grid, placeOf(name))]
      : components.map((e, c) => {
          const at = components.length === 1 ? 'p' : `${components.length}u * p + ${c}u`
          // All values are computed before any is written, because an output may overwrite an input.
          return { value: `let out${output}_${c} = ${text(e)};`, write: `${placeOf(name)}[${at}] = out${output}_${c};` }
        }),
  )

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
  const compute = body.loop.map((b) => `let ${b.name} = ${text(b.expr)};`)
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
  ${body.loads.map(load)}
  ${compute}
  ${[...store.map((s) => s.value), ...store.map((s) => s.write)]}
}
`
  const replaced = new Set(inPlace.values())
  const fields: readonly Field[] = [
    { name: 'count', type: 'u32', note: 'points' },
    ...body.run.map(({ name, expr }): Field => ({ name, type: 'f32', note: hostText(expr) })),
  ]
  return shader(
    {
      label,
      resources: [
        ...[...new Set([...arrays, ...replaced])].map((name): Resource => {
          return { key: `points.${name}`, access: replaced.has(name) ? 'read_write' : 'read', type: 'f32' }
        }),
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

/** Combines the cells along each axis into one index, in integers, so that wrapping is exact. */
function cellText(cells: readonly string[], grid: Grid, place: string): { value: string; write: string } {
  const along = cells.map((cell, axis) => {
    const n = grid.cells[axis]
    return `let cell_${axis} = ((i32(${cell}) % ${n}) + ${n}) % ${n};`
  })
  const index = cells
    .map((_, axis) => axis)
    .reduceRight((inner, axis) => {
      return inner ? `cell_${axis} + ${grid.cells[axis]} * (${inner})` : `cell_${axis}`
    }, '')
  return { value: along.join('\n'), write: `${place}[p] = ${index};` }
}
