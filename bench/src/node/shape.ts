/** The expected shape of parsed JSON. It describes in words where a value differs from it. */

export type MemberKind = 'string' | 'number' | 'boolean' | 'object' | 'array'

/** Describes the first member that differs from the shape. */
export function mismatch(value: unknown, shape: Readonly<Record<string, MemberKind>>, at: string): string | undefined {
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
