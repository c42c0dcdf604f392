/**
 * The loop over points in WGSL, with one invocation per point: maps, and the grid cell of each point.
 *
 * Positions are interleaved, so neighbouring invocations read every third number. `direct` leaves that to the cache; `staged`
 * first loads the numbers of a workgroup in order into workgroup memory.
 *
 * Several maps over the same points run in one shader, one after the other. Each point reads only numbers of its own, so the
 * arrays may be shared in any way. What one map writes and another reads stays in a register. Because a compiler may round otherwise
 * in another shader, a dispatch names the parts to run: the same shader ends a round, begins one, or does both, with the same bits.
 *
 * @module
 */
import type { Grid, MapWorkload, Shape } from '@manybody/core'
import { type ElementBody, type LoadPlace, loadPlace } from '@manybody/core/backend'
import { numberAt, pointStatements, writeTexts } from '../parts/point-statements.ts'
import { rounded, zeroField } from '../quirks/rounded-between-maps.ts'
import { hostText } from '../wgsl/operators.ts'
import { arrayName, type Field, type Resource, type Shader, shader } from '../wgsl/shader.ts'
import { wgsl } from '../wgsl/wgsl.ts'

export type ParticleVariant = 'direct' | 'staged'

export interface ParticleLoopOptions {
  readonly body: ElementBody
  readonly shape: Pick<Shape, 'dimension' | 'vectors'>
  readonly variant: ParticleVariant
  readonly workgroup: number
  /** Values of other points that a map reads. */
  readonly gather?: MapWorkload['gather']
  /** The grid of a cell index, whose output components are the cells along each axis. */
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

/** A map and where its arrays are: by `points.<name>` and `result.<name>`, the keys of resources. */
export interface PlacedMap {
  readonly body: ElementBody
  readonly shape: Pick<Shape, 'dimension' | 'vectors'>
  readonly places: ReadonlyMap<string, string>
}

/** The field with a value of the n-th map. */
export const valueField = (n: number, name: string): string => `map${n}_${name}`

/** The field that says whether the maps of the n-th part run. A shader with one part has none. */
export const partField = (n: number): string => `part${n}`

export function mapsLoop(parts: readonly (readonly PlacedMap[])[], workgroup: number): Shader {
  const maps = parts.flat()
  const outputs = maps.map(({ body }) => Object.keys(body.outputs).join(', '))
  const written = new Set(
    maps.flatMap(({ body, places }) => Object.keys(body.outputs).map((name) => places.get(`result.${name}`))),
  )
  const resources = [...new Set(maps.flatMap(({ places }) => [...places.values()]))].map(
    (key): Resource => ({ key, access: written.has(key) ? 'read_write' : 'read', type: 'f32' }),
  )
  const asked = parts.length > 1
  const fields = [
    { name: 'count', type: 'u32', note: 'points' },
    zeroField,
    ...(asked ? parts.map((_, n): Field => ({ name: partField(n), type: 'u32', note: 'whether it runs' })) : []),
    ...maps.flatMap(({ body }, n) =>
      body.run.map(({ name, expr }): Field => ({ name: valueField(n, name), type: 'f32', note: hostText(expr) })),
    ),
  ] as const
  return shader(
    { label: `maps in order: ${outputs.join('; ')} (workgroup ${workgroup})`, resources, fields, workgroup },
    wgsl`
@compute @workgroup_size(${workgroup})
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let p = (group.x + group.z * groups.x) * ${workgroup}u + lane;
  if (p >= run.count) { return; }
  ${statementsOf(parts, asked)}
}
`,
  )
}

/** Loads each number once, runs the parts that the dispatch asks for, then writes each number once. */
function statementsOf(parts: readonly (readonly PlacedMap[])[], asked: boolean): readonly string[] {
  // By place. An array has one number per point, or one per component, for all maps.
  const numbers = new Map<string, string>()
  const changed = new Set<string>()
  const numberOf = (place: string, change: boolean) => {
    const number = numbers.get(place) ?? `number${numbers.size}`
    numbers.set(place, number)
    if (change) changed.add(place)
    return number
  }
  let maps = 0
  const blocks = parts.map((part, n) => {
    const statements = part.flatMap((map) => mapStatements(map, maps++, numberOf))
    return asked ? `if (run.${partField(n)} != 0u) {\n  ${statements.join('\n  ')}\n}` : statements
  })
  return [
    ...[...numbers].map(([place, number]) => {
      const kind = changed.has(place) ? 'var' : 'let'
      return `${kind} ${number} = ${place};`
    }),
    ...blocks.flat(),
    ...writeTexts(new Map([...numbers].filter(([place]) => changed.has(place)))),
  ]
}

/** @param numberOf names the number at a place, which the map reads or changes */
function mapStatements(
  { body, shape, places }: PlacedMap,
  n: number,
  numberOf: (place: string, change: boolean) => string,
): readonly string[] {
  const array = (key: string) => arrayName(places.get(key) ?? key)
  const { compute, writes } = pointStatements(body, {
    load(name) {
      const { array: attribute, axis } = loadPlace(name, {}, shape)
      return numberOf(`${array(`points.${attribute}`)}[${numberAt('p', axis, shape.dimension)}]`, false)
    },
    output: (name) => array(`result.${name}`),
    run: (name) => `run.${valueField(n, name)}`,
    prefix: `map${n}_`,
  })
  return [...compute, ...[...writes].map(([place, value]) => `${numberOf(place, true)} = ${rounded(value)};`)]
}
