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

/** An object with names in it, not a list. @throws TypeError */
export function named(value: unknown, name: string): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TypeError(`"${name}" expected an object, got ${describe(value)}`)
}

export type FloatArray = Float32Array | Float64Array

/**
 * A copy of a float array of a known length in which every number is finite. A copy, because the caller may write into
 * the array while a run reads it, and a run may start again on another device.
 *
 * @throws TypeError, RangeError
 */
export function takenArray(value: unknown, name: string, length?: number, why = ''): FloatArray {
  const given = floatArray(value, name)
  if (length !== undefined && given.length !== length)
    throw new RangeError(`"${name}" expected length ${length}${why}, got ${given.length}`)
  const copy = given instanceof Float32Array ? new Float32Array(given) : new Float64Array(given)
  const at = firstNotFinite(copy)
  if (at >= 0) throw new RangeError(`"${name}" expected finite numbers, got ${copy[at]} at index ${at}`)
  return copy
}

/** A float array. @throws TypeError */
function floatArray(value: unknown, name: string): FloatArray {
  if (value instanceof Float32Array || value instanceof Float64Array) return value
  throw new TypeError(`"${name}" expected Float32Array or Float64Array, got ${describe(value)}`)
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
