/**
 * Checks of arguments. Each returns the value it accepted, or throws an error with the expected and the given value.
 *
 * @module
 */
import { copyOf } from './arrays/kept-copies.ts'
import { type FloatArray, magnitudesOf, rememberMagnitudes } from './arrays/magnitudes.ts'
import { flattened, fromOtherRealm, isDetached } from './arrays/other-forms.ts'

export type { FloatArray }

/** The error for a value of another type than expected. @param name the caller's name for the value */
export function unexpected(name: string, expected: string, got: unknown): TypeError {
  return new TypeError(`"${name}" expected ${expected}, got ${describe(got)}`)
}

/** A finite number, at least `minimum` if given; `Number.MIN_VALUE` means "above 0". @throws RangeError, TypeError */
export function finite(value: unknown, name: string, minimum: number = Number.NEGATIVE_INFINITY): number {
  if (typeof value !== 'number') throw unexpected(name, 'number', value)
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
  if (typeof value !== 'number') throw unexpected(name, 'integer', value)
  if (!Number.isSafeInteger(value) || value < minimum) {
    const most = value > Number.MAX_SAFE_INTEGER ? ` and <= ${Number.MAX_SAFE_INTEGER}` : ''
    throw new RangeError(`"${name}" expected integer >= ${minimum}${most}, got ${value}`)
  }
  return value
}

/** One of a list of words. @throws TypeError */
export function oneOf<const T extends string>(value: unknown, name: string, allowed: readonly T[]): T {
  if (!allowed.includes(value as T)) throw unexpected(name, allowed.map((a) => `"${a}"`).join(' or '), value)
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

/** Checks an option that is given. @throws TypeError, RangeError */
export type OptionCheck = (value: unknown, name: string) => unknown

function expected(what: string, is: (value: unknown) => boolean): OptionCheck {
  return (value, name) => {
    if (!is(value)) throw unexpected(name, what, value)
  }
}

export const flag: OptionCheck = expected('true or false', (value) => typeof value === 'boolean')
export const text: OptionCheck = expected('text', isString)

/** The options of everything that takes time. */
export const whileRunning: Readonly<Record<'signal' | 'onProgress', OptionCheck>> = {
  signal: expected(
    'an AbortSignal, such as the signal of an AbortController',
    (value) => typeof (Object(value) as Partial<AbortSignal>).throwIfAborted === 'function',
  ),
  onProgress: expected('a function of the fraction done', (value) => typeof value === 'function'),
}

/**
 * An object that has only these names. A misspelt option must not be ignored silently.
 *
 * @param what the kind of the names, for messages: `domain option`
 * @param checks for values that no other code checks
 * @throws TypeError, RangeError
 */
export function onlyNamed<T extends object>(
  given: T,
  what: string,
  known: readonly string[],
  checks: Readonly<Record<string, OptionCheck>> = {},
): T {
  if (!hasNames(given)) {
    const all = what.replace(/ of | with |, |$/, 's$&')
    throw unexpected(all, `an object with ${known.join(', ') || 'nothing'}`, given)
  }
  for (const name of Object.keys(given)) {
    if (!known.includes(name))
      throw new TypeError(`"${name}" is not ${article(what)} ${what}; expected ${known.join(', ') || 'none'}`)
    const value = given[name as keyof T]
    if (value !== undefined && Object.hasOwn(checks, name)) checks[name]?.(value, name)
  }
  return given
}

const article = (noun: string): string => (/^[aeiou]/.test(noun) ? 'an' : 'a')

/** An object with names in it, not a list. @throws TypeError */
export function named(value: unknown, name: string): void {
  if (!hasNames(value)) throw unexpected(name, 'an object', value)
}

/** An object with fields. Lists are refused, and so are `Map` and `AbortSignal`, which would look like empty objects. */
export function hasNames(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || ArrayBuffer.isView(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null || Object.keys(value).length > 0
}

/** Whether a value is a buffer of WebGPU. Node has no global `GPUBuffer`, so this looks at its members. */
export const isGpuBuffer = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && 'mapAsync' in value && 'usage' in value && 'size' in value

/** Numbers as a caller may pass them: a float array or a list. The numbers of a list are float64. */
export type Numbers = FloatArray | readonly number[]

/**
 * Copies numbers, after checking their count and that all are finite. It copies because the caller may write into its array
 * during a run, and because a run may start again on another device.
 *
 * @throws TypeError, RangeError
 */
export function takenArray(value: unknown, name: string, length?: number, why = ''): FloatArray {
  const given = numbersIn(value, name)
  if (length !== undefined && given.length !== length)
    throw new RangeError(`"${name}" expected length ${length}${why}, got ${given.length}`)
  const copy = copyOf(given)
  rememberMagnitudes(copy)
  const at = firstNotFinite(copy)
  if (at >= 0) throw new RangeError(`"${name}" expected finite numbers, got ${copy[at]} at index ${at}`)
  return copy
}

/** The accepted kinds of float arrays, for messages. */
export const arrayTypes = 'Float32Array, Float64Array or a list of numbers'

/** @throws TypeError */
function numbersIn(value: unknown, name: string): Numbers {
  if (value instanceof Float32Array || value instanceof Float64Array) return attached(value, name)
  if (!Array.isArray(value)) {
    const same = fromOtherRealm(value)
    if (same) return attached(same, name)
    throw new TypeError(`"${name}" expected ${arrayTypes}, got ${describe(value)}${givenAs(value, name)}`)
  }
  const at = value.findIndex((item) => typeof item !== 'number')
  if (at < 0) return value
  const remedy = value[at] === null ? '; JSON writes null for NaN and for infinite numbers' : givenAs(value, name)
  throw new TypeError(`"${name}" expected numbers, got ${describe(value[at])} at index ${at}${remedy}`)
}

/** The remedy for numbers in another form. */
function givenAs(value: unknown, name: string): string {
  const expression = flattened(value, name)
  return expression === undefined ? '' : `; give ${expression}`
}

/** An array that still has its memory. @throws TypeError */
export function attached<T extends ArrayBufferView>(array: T, name: string): T {
  if (!isDetached(array)) return array
  throw new TypeError(
    `"${name}" expected numbers, got a detached ${describe(array)}: its buffer was transferred, for example by postMessage; transfer a copy, ${name}.slice(), or wait until the buffer comes back`,
  )
}

/** The index of the first number that is not finite, or -1. */
export function firstNotFinite(array: FloatArray): number {
  return Number.isFinite(magnitudesOf(array).largest) ? -1 : array.findIndex((x) => !Number.isFinite(x))
}

/** Describes a value that came instead of a list of some length: its length, or its type. */
export function howMany(value: unknown): string {
  return Array.isArray(value) ? `${value.length} of them` : describe(value)
}

/** Describes a value for a message: its text if short, otherwise its type. */
export function describe(value: unknown): string {
  if (value === null || value === undefined || typeof value === 'boolean' || typeof value === 'number')
    return String(value)
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 37)}...` : value)
  return typeof value === 'object' ? (value.constructor?.name ?? 'object') : typeof value
}
