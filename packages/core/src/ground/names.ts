/**
 * The one rule for the names that a caller chooses: attributes, parameters, outputs, components. A name that passes works on
 * every backend, because generated code uses other names. All other names are rejected here.
 *
 * @module
 */
import { finite, hasNames, unexpected } from './checks.ts'

/** A longer name is probably a text in the wrong place. */
const longest = 64

const rule = `letters, digits and "_" that begin with a letter, at most ${longest} characters`

/** The form of a name, for the messages of a parser. */
export const nameRule: string = `a name is ${rule}`

export const isName = (text: string): boolean => text.length <= longest && /^[A-Za-z][A-Za-z0-9_]*$/.test(text)

/**
 * Checks a name that the caller chose.
 *
 * @param what where the name occurs: `outputs`
 * @param taken names with another meaning there
 * @throws TypeError
 */
export function nameOf(name: unknown, what: string, taken: readonly string[] = []): string {
  if (typeof name !== 'string' || !isName(name)) throw unexpected(what, `names of ${rule}`, name)
  if (taken.includes(name))
    throw new TypeError(
      `"${what}" expected names other than ${taken.join(', ')}, which have a meaning here, got "${name}"`,
    )
  return name
}

/** Parameters by name. @throws TypeError, RangeError */
export function numbersByName(parameters: unknown, taken: readonly string[]): void {
  if (!hasNames(parameters)) throw unexpected('parameters', 'numbers by name, { name: 1 }', parameters)
  for (const [name, value] of Object.entries(parameters)) finite(value, nameOf(name, 'parameters', taken))
}

/** A record without a prototype, so that a look-up of a name such as `constructor` finds only an entry of the record. */
export function record<T>(entries: Iterable<readonly [string, T]>): Record<string, T> {
  // V8 would keep an object that has no prototype from the start as a hash table, and make lists to go through its names.
  return Object.setPrototypeOf(Object.fromEntries(entries), null)
}

/** The attributes that hold the low parts of split coordinates, one per axis (see `workloads/numbers/split.ts`). */
export const lowNames: readonly string[] = ['positionLowX', 'positionLowY', 'positionLowZ']

/** The axis of an attribute with low parts, or undefined for any other attribute. */
export function lowAxisOf(attribute: string): number | undefined {
  const axis = lowNames.indexOf(attribute)
  return axis < 0 ? undefined : axis
}

const attributePattern = /^([A-Za-z]\w*)_([ij])$/

/** Splits `mass_j` into the attribute and the side it belongs to; undefined for any other name. */
export function parseAttribute(name: string): { readonly attribute: string; readonly side: 'i' | 'j' } | undefined {
  const [, attribute, side] = attributePattern.exec(name) ?? []
  return attribute === undefined ? undefined : { attribute, side: side as 'i' | 'j' }
}
