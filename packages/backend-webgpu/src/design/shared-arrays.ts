/**
 * Arrays that share a binding. Every device binds eight arrays to a shader, and some bind no more. A shader that has more keeps
 * some of them one after the other in one array; its uniform block says where each begins.
 *
 * @module
 */
import { leastLimits } from './least-limits.ts'
import { arrayName, type Field, type Resource } from './shader.ts'

/** How many arrays every device binds. */
export const boundArrays: number = leastLimits.maxStorageBuffersPerShaderStage

/** The keys of the arrays of a shader, those that share a binding too. */
export const keysOf = (resources: readonly Resource[]): readonly string[] =>
  resources.flatMap(({ key, parts = [key] }) => parts)

/** The field that says where the n-th part of a shared array begins. */
export const firstField = (key: string, n: number): string => `${arrayName(key)}_${n}`

export interface SharedArrays {
  /** At most as many as the device binds. */
  readonly resources: readonly Resource[]
  /** The fields that say where parts begin. */
  readonly fields: readonly Field[]
  /** The text with parts of shared arrays in the place of arrays. */
  readonly body: string
}

/** @param most how many arrays the device binds */
export function shared(given: readonly Resource[], body: string, most: number): SharedArrays {
  const groups = groupsOf(given, most)
  const grouped = new Set(keysOf(groups))
  const places = groups.flatMap(({ key, parts = [] }) =>
    parts.map((part, n) => ({ part, array: arrayName(key), field: firstField(key, n) })),
  )
  const indexed = new Map(places.map(({ part, array, field }) => [`${arrayName(part)}[`, `${array}[run.${field} + `]))
  return {
    resources: [...given.filter(({ key }) => !grouped.has(key)), ...groups],
    fields: places.map(({ part, field }): Field => ({ name: field, type: 'u32', note: `where ${part} begins` })),
    // An index is a number, a sum, a product or a call, so a number can be added in front of it.
    body: groups.length > 0 ? body.replace(/\b\w+\[/g, (text) => indexed.get(text) ?? text) : body,
  }
}

/** Attributes share first, then all arrays that are only read, then the results. */
function groupsOf(all: readonly Resource[], most: number): readonly Resource[] {
  if (all.length <= most) return []
  const numbers = all.filter(({ type }) => type === 'f32')
  const inputs = numbers.filter(
    ({ key, access }) => access === 'read' && /^(points|targets|sources|array|tables)\./.test(key),
  )
  const attributes = inputs.filter(({ key }) => /^[pts].*\.(?!position$|numbers$)/.test(key))
  const results = numbers.filter(({ key, access }) => access === 'read_write' && /^(result|array)\./.test(key))
  const read = all.length - attributes.length < most ? attributes : inputs
  const written = all.length - read.length < most ? [] : results
  return [group('shared.inputs', read), group('shared.results', written)].flat()
}

/** One array alone would take as many bindings as before. */
const group = (key: string, [first, ...others]: readonly Resource[]): readonly Resource[] =>
  first && others.length > 0 ? [{ ...first, key, parts: [first, ...others].map((r) => r.key) }] : []
