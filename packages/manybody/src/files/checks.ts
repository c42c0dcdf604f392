/**
 * Checks the arguments of readers and writers. Core has such checks, but they bring the language of laws along. A page that only reads
 * files need not load it.
 *
 * @module
 */
import type { Boundary } from '@manybody/core'

/** The error for a value of another type than expected. @param name the caller's name for the value */
export function unexpected(name: string, expected: string, got: unknown): TypeError {
  return new TypeError(`"${name}" expected ${expected}, got ${described(got)}`)
}

/** A value for a message: its text if short, otherwise its type. */
export function described(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40))
  if (typeof value === 'object' && value !== null) return value.constructor?.name ?? 'object'
  return typeof value === 'number' || typeof value === 'boolean' || !value ? String(value) : typeof value
}

/** Whether a value is the box of a frame. Files may have an attribute that is called `boundary`, as the box is. */
export const isBox = (value: unknown): value is Boundary =>
  typeof value === 'object' && value !== null && 'kind' in value && ['open', 'periodic'].includes(value.kind as string)

/** @throws TypeError, RangeError for anything but a finite number */
export function requireNumber(value: unknown, name: string): void {
  if (typeof value !== 'number') throw unexpected(name, 'number', value)
  if (!Number.isFinite(value)) throw new RangeError(`"${name}" expected finite number, got ${value}`)
}

/** @throws TypeError for a value that is not an object with names in it, for example a list */
export function requireNames(value: unknown, name: string, what = 'arrays by name'): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || ArrayBuffer.isView(value))
    throw unexpected(name, `an object with ${what}`, value)
}

/** Requires a list with items of one type. @throws TypeError */
export function requireList(value: unknown, name: string, type: 'string' | 'boolean', what: string): void {
  if (!Array.isArray(value)) throw unexpected(name, `a list of ${what}`, value)
  for (const [n, item] of value.entries()) if (typeof item !== type) throw unexpected(`${name}[${n}]`, what, item)
}

/** @throws TypeError for bytes that have been transferred to another thread: they would look like the end of the file */
export function requireBytes(bytes: Uint8Array, name: string): void {
  try {
    bytes.values()
  } catch (cause) {
    throw new TypeError(`"${name}" expected bytes, got a detached array: its buffer was transferred; transfer a copy`, {
      cause,
    })
  }
}
