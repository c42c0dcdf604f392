/**
 * Several maps over the same points in one shader, one after the other. Each point reads only numbers of its own, so the arrays
 * may be shared in any way. A number that one map writes and another reads stays in a register.
 *
 * A compiler may round differently in another shader. So a dispatch names the parts to run: the same shader ends a round,
 * begins one, or does both, with the same bits.
 *
 * @module
 */

import { completed } from '../../design/completed.ts'
import type { LoopLimits } from '../../design/facts.ts'
import type { DesignedMap } from '../../design/map.ts'
import { arrayName, type Field, type Resource, type Shader } from '../../design/shader.ts'
import { wgsl } from '../../design/wgsl.ts'
import { rounded, zeroField } from '../../quirks/rounded-between-maps.ts'

/** A map and where its arrays are: by `points.<name>` and `result.<name>`, the keys of resources. */
export interface PlacedMap {
  readonly map: DesignedMap
  readonly places: ReadonlyMap<string, string>
}

/** The prefix of all names of the n-th map. */
const prefixOf = (n: number) => `map${n}_`

/** The field with a value of the n-th map. */
export const valueField = (n: number, name: string): string => `${prefixOf(n)}${name}`

/** The field that says whether the maps of the n-th part run. A shader with one part has none. */
export const partField = (n: number): string => `part${n}`

export function mapsLoop(
  parts: readonly (readonly PlacedMap[])[],
  workgroup: number,
  limits: Pick<LoopLimits, 'maxStorageBuffersPerShaderStage'>,
): Shader {
  const maps = parts.flat()
  const outputs = maps.map(({ map }) => map.outputs.join(', '))
  const written = new Set(maps.flatMap(({ map, places }) => map.outputs.map((name) => places.get(`result.${name}`))))
  const resources = [...new Set(maps.flatMap(({ places }) => [...places.values()]))].map(
    (key): Resource => ({ key, access: written.has(key) ? 'read_write' : 'read', type: 'f32' }),
  )
  const asked = parts.length > 1
  const fields = [
    { name: 'count', type: 'u32', note: 'points' },
    zeroField,
    ...(asked ? parts.map((_, n): Field => ({ name: partField(n), type: 'u32', note: 'whether it runs' })) : []),
    ...maps.flatMap(({ map }, n) =>
      map.run.names.map((name, k): Field => ({ name: valueField(n, name), type: 'f32', note: map.notes[k] as string })),
    ),
  ] as const
  const functions = [...new Set(maps.flatMap(({ map }) => map.functions))]
  return completed(
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
    functions.map((text) => `${text}\n`).join('\n'),
    limits.maxStorageBuffersPerShaderStage,
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
    ...[...numbers].flatMap(([place, number]) => (changed.has(place) ? `${place} = ${number};` : [])),
  ]
}

/** @param numberOf names the number at a place, which the map reads or changes */
function mapStatements(
  { map, places }: PlacedMap,
  n: number,
  numberOf: (place: string, change: boolean) => string,
): readonly string[] {
  const placed = (place: string) => place.replace(/\{(.*?)\}/g, (_, key: string) => arrayName(places.get(key) ?? key))
  const reads = map.reads.map((place) => numberOf(placed(place), false))
  const named = (text: string) =>
    text.replace(/#(_|\d+)/g, (_, name: string) => (name === '_' ? prefixOf(n) : (reads[Number(name)] ?? '')))
  return [
    ...map.compute.map(named),
    ...map.writes.map(([place, value]) => `${numberOf(placed(place), true)} = ${rounded(named(value))};`),
  ]
}
