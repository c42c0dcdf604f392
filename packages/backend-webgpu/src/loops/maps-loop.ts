/**
 * Several maps over the same points in one shader, one after the other. Each point reads only numbers of its own, so the
 * result is the same as with one dispatch for each map, and the arrays may be shared in any way. What one map writes and another
 * reads stays in a register.
 *
 * @module
 */
import type { Shape } from '@manybody/core'
import { type ElementBody, loadPlace } from '@manybody/core/backend'
import { numberAt, pointStatements, writeTexts } from '../parts/point-statements.ts'
import { hostText } from '../wgsl/operators.ts'
import { arrayName, type Field, type Resource, type Shader, shader } from '../wgsl/shader.ts'
import { wgsl } from '../wgsl/wgsl.ts'

/** A map and where its arrays are: by `points.<name>` and `result.<name>`, the keys of resources. */
export interface PlacedMap {
  readonly body: ElementBody
  readonly shape: Pick<Shape, 'dimension' | 'vectors'>
  readonly places: ReadonlyMap<string, string>
}

/** The field with a value of the n-th map. */
export const valueField = (n: number, name: string): string => `map${n}_${name}`

export function mapsLoop(maps: readonly PlacedMap[], workgroup: number): Shader {
  const outputs = maps.map(({ body }) => Object.keys(body.outputs).join(', '))
  const written = new Set(
    maps.flatMap(({ body, places }) => Object.keys(body.outputs).map((name) => places.get(`result.${name}`))),
  )
  const resources = [...new Set(maps.flatMap(({ places }) => [...places.values()]))].map(
    (key): Resource => ({ key, access: written.has(key) ? 'read_write' : 'read', type: 'f32' }),
  )
  const fields = maps.flatMap(({ body }, n) =>
    body.run.map(({ name, expr }): Field => ({ name: valueField(n, name), type: 'f32', note: hostText(expr) })),
  )
  return shader(
    {
      label: `maps in order: ${outputs.join('; ')} (workgroup ${workgroup})`,
      resources,
      fields: [{ name: 'count', type: 'u32', note: 'points' }, ...fields],
      workgroup,
    },
    wgsl`
@compute @workgroup_size(${workgroup})
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let p = (group.x + group.z * groups.x) * ${workgroup}u + lane;
  if (p >= run.count) { return; }
  ${statementsOf(maps)}
}
`,
  )
}

/** The statements of all maps, then one write for each number. */
function statementsOf(maps: readonly PlacedMap[]): readonly string[] {
  // What the maps before wrote: the array has one number per point, or one per component, for all maps.
  const written = new Map<string, string>()
  const compute = maps.flatMap(({ body, shape, places }, n) => {
    const array = (key: string) => arrayName(places.get(key) ?? key)
    const { compute, writes } = pointStatements(body, {
      load(name) {
        const { array: attribute, axis } = loadPlace(name, {}, shape)
        const place = `${array(`points.${attribute}`)}[${numberAt('p', axis, shape.dimension)}]`
        return written.get(place) ?? place
      },
      output: (name) => array(`result.${name}`),
      run: (name) => `run.${valueField(n, name)}`,
      prefix: `map${n}_`,
    })
    for (const [place, value] of writes) written.set(place, value)
    return compute
  })
  return [...compute, ...writeTexts(written)]
}
