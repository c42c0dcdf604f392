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

/**
 * An object that has no names but these: a misspelt option must not be an option ignored.
 *
 * @param what of which kind the names are: `domain option`
 * @throws TypeError
 */
export function onlyNamed<T extends object>(given: T, what: string, known: readonly string[]): T {
  if (typeof given !== 'object' || given === null)
    throw new TypeError(`expected an object with ${known.join(', ') || 'nothing'}, got ${describe(given)}`)
  for (const name of Object.keys(given))
    if (!known.includes(name)) throw new TypeError(`"${name}" is no ${what}; expected ${known.join(', ') || 'none'}`)
  return given
}

export type FloatArray = Float32Array | Float64Array

/** A float array of a known length in which every number is finite. @throws TypeError, RangeError */
export function finiteArray(value: unknown, name: string, length?: number, why = ''): FloatArray {
  if (!(value instanceof Float32Array || value instanceof Float64Array))
    throw new TypeError(`"${name}" expected Float32Array or Float64Array, got ${describe(value)}`)
  if (length !== undefined && value.length !== length)
    throw new RangeError(`"${name}" expected length ${length}${why}, got ${value.length}`)
  const at = firstNotFinite(value)
  if (at >= 0) throw new RangeError(`"${name}" expected finite numbers, got ${value[at]} at index ${at}`)
  return value
}

/** Where the first number stands that is not finite; -1 if there is none. */
export function firstNotFinite(array: FloatArray): number {
  let zeros = 0
  // Not finite times 0 is NaN: this takes a tenth of the time of asking each.
  for (let n = 0; n < array.length; n++) zeros += 0 * (array[n] as number)
  return zeros === 0 ? -1 : array.findIndex((x) => !Number.isFinite(x))
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
