/** What parsed JSON is made of: told in words, where it is not what a record has. */

export type Shape = 'string' | 'number' | 'boolean' | 'object' | 'array'

/** The first member that is not as the shape has it. */
export function mismatch(value: unknown, shape: Readonly<Record<string, Shape>>, at: string): string | undefined {
  const found = isObject(value) ? value : {}
  const name = Object.keys(shape).find((name) => kindOf(found[name]) !== shape[name])
  return name === undefined ? undefined : `${at}${name} expected ${shape[name]}, got ${kindOf(found[name])}`
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return kindOf(value) === 'object'
}

export function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  return value === null || value === undefined ? 'nothing' : typeof value
}
