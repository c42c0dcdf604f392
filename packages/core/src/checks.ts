/**
 * Checks of arguments: each returns what it accepted, or throws with what was expected and what came.
 *
 * @module
 */

/** A finite number, at least `minimum` where one is given; `Number.MIN_VALUE` is "above 0". @throws RangeError, TypeError */
export function finite(value: unknown, name: string, minimum: number = Number.NEGATIVE_INFINITY): number {
  if (typeof value !== 'number') throw new TypeError(`"${name}" expected number, got ${describe(value)}`)
  const bound = minimum === Number.MIN_VALUE ? ' > 0' : Number.isFinite(minimum) ? ` >= ${minimum}` : ''
  if (!Number.isFinite(value) || value < minimum)
    throw new RangeError(`"${name}" expected finite number${bound}, got ${value}`)
  return value
}

/** A finite number greater than zero. @throws RangeError, TypeError */
export function positive(value: unknown, name: string): number {
  return finite(value, name, Number.MIN_VALUE)
}

/** A whole number, at least `minimum`. @throws RangeError, TypeError */
export function whole(value: unknown, name: string, minimum: number): number {
  if (typeof value !== 'number') throw new TypeError(`"${name}" expected integer, got ${describe(value)}`)
  if (!Number.isSafeInteger(value) || value < minimum)
    throw new RangeError(`"${name}" expected integer >= ${minimum}, got ${value}`)
  return value
}

/** One of a list of words. @throws TypeError */
export function oneOf<const T extends string>(value: unknown, name: string, allowed: readonly T[]): T {
  if (!allowed.includes(value as T))
    throw new TypeError(`"${name}" expected ${allowed.map((a) => `"${a}"`).join(' or ')}, got ${describe(value)}`)
  return value as T
}

/** A list of `what`: of strings, unless `is` tells otherwise. @throws TypeError */
export function listOf(value: unknown, name: string, what: string, is: (item: unknown) => boolean = isString): void {
  const stranger = Array.isArray(value) ? value.findIndex((item) => !is(item)) : undefined
  if (stranger === -1) return
  const got = stranger === undefined ? describe(value) : `${describe((value as unknown[])[stranger])} at ${stranger}`
  throw new TypeError(`"${name}" expected a list of ${what}, got ${got}`)
}

const isString = (item: unknown) => typeof item === 'string'

/** What an option must be where it is given. @throws TypeError, RangeError */
export type Check = (value: unknown, name: string) => unknown

function expected(what: string, is: (value: unknown) => boolean): Check {
  return (value, name) => {
    if (!is(value)) throw new TypeError(`"${name}" expected ${what}, got ${describe(value)}`)
  }
}

export const flag: Check = expected('true or false', (value) => typeof value === 'boolean')
export const text: Check = expected('text', isString)

/** Of all that runs for a while. */
export const whileRunning: Readonly<Record<'signal' | 'onProgress', Check>> = {
  signal: expected(
    'an AbortSignal, such as the signal of an AbortController',
    (value) => typeof (Object(value) as Partial<AbortSignal>).throwIfAborted === 'function',
  ),
  onProgress: expected('a function of the fraction done', (value) => typeof value === 'function'),
}

/**
 * An object that has no names but these: a misspelt option must not be an option ignored.
 *
 * @param what of which kind the names are: `domain option`
 * @param checks for names whose values nobody else checks
 * @throws TypeError, RangeError
 */
export function onlyNamed<T extends object>(
  given: T,
  what: string,
  known: readonly string[],
  checks: Readonly<Record<string, Check>> = {},
): T {
  if (!hasNames(given)) {
    const all = what.replace(/ of | with |, |$/, 's$&')
    throw new TypeError(`"${all}" expected an object with ${known.join(', ') || 'nothing'}, got ${describe(given)}`)
  }
  for (const [name, value] of Object.entries(given)) {
    if (!known.includes(name)) throw new TypeError(`"${name}" is no ${what}; expected ${known.join(', ') || 'none'}`)
    if (value !== undefined && Object.hasOwn(checks, name)) checks[name]?.(value, name)
  }
  return given
}

/** An object with names in it, not a list. @throws TypeError */
export function named(value: unknown, name: string): void {
  if (!hasNames(value)) throw new TypeError(`"${name}" expected an object, got ${describe(value)}`)
}

/** An object whose own fields say something: no list, and no `Map` or `AbortSignal`, which would pass for an empty one. */
export function hasNames(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || ArrayBuffer.isView(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null || Object.keys(value).length > 0
}

export type FloatArray = Float32Array | Float64Array

/** What a caller may give in place of a float array. The numbers of a list are float64. */
export type Numbers = FloatArray | readonly number[]

/**
 * A copy of some numbers, as many as expected and all finite. A copy, because the caller may write into its array while a
 * run reads it, and a run may start again on another device.
 *
 * @throws TypeError, RangeError
 */
export function takenArray(value: unknown, name: string, length?: number, why = ''): FloatArray {
  const given = numbersIn(value, name)
  if (length !== undefined && given.length !== length)
    throw new RangeError(`"${name}" expected length ${length}${why}, got ${given.length}`)
  const copy = given instanceof Float32Array ? new Float32Array(given) : new Float64Array(given)
  const at = firstNotFinite(copy)
  if (at >= 0) throw new RangeError(`"${name}" expected finite numbers, got ${copy[at]} at index ${at}`)
  return copy
}

/** What a float array may come as, for messages. */
export const arrayTypes = 'Float32Array, Float64Array or a list of numbers'

/** @throws TypeError */
function numbersIn(value: unknown, name: string): Numbers {
  if (value instanceof Float32Array || value instanceof Float64Array) return value
  if (!Array.isArray(value)) {
    const remedy = ArrayBuffer.isView(value) ? `; give Float32Array.from(${name})` : ''
    throw new TypeError(`"${name}" expected ${arrayTypes}, got ${describe(value)}${remedy}`)
  }
  const at = value.findIndex((item) => typeof item !== 'number')
  if (at < 0) return value
  const remedy = Array.isArray(value[at]) ? `; numbers come one after the other, as in ${name}.flat()` : ''
  throw new TypeError(`"${name}" expected numbers, got ${describe(value[at])} at index ${at}${remedy}`)
}

/** Where the first number stands that is not finite; -1 if there is none. */
export function firstNotFinite(array: FloatArray): number {
  // Not finite times 0 is NaN: this takes a tenth of the time of asking each. Four sums do not wait for each other,
  // which saves more time than the copy takes that is checked here.
  let [a, b, c, d] = [0, 0, 0, 0]
  const quads = array.length - (array.length % 4)
  for (let n = 0; n < quads; n += 4) {
    a += 0 * (array[n] as number)
    b += 0 * (array[n + 1] as number)
    c += 0 * (array[n + 2] as number)
    d += 0 * (array[n + 3] as number)
  }
  for (let n = quads; n < array.length; n++) a += 0 * (array[n] as number)
  return a + b + c + d === 0 ? -1 : array.findIndex((x) => !Number.isFinite(x))
}

/** What came where a list of some length was expected: how many, or what else it is. */
export function howMany(value: unknown): string {
  return Array.isArray(value) ? `${value.length} of them` : describe(value)
}

/** Names a value for a message: its text if short, else its type. */
export function describe(value: unknown): string {
  if (value === null || value === undefined || typeof value === 'boolean' || typeof value === 'number')
    return String(value)
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 37)}...` : value)
  return typeof value === 'object' ? (value.constructor?.name ?? 'object') : typeof value
}
