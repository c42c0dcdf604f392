/**
 * Lists of numbers that a user gives, of any type of array.
 *
 * @module
 */
import { finite, unexpected } from './checks.ts'

/** Whether a value is an array, of any type. */
export const isList = (value: unknown): value is ArrayLike<unknown> =>
  Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView))

/** The components of a vector, copied. @throws TypeError, RangeError */
export function checkedVector(given: unknown, name: string): readonly number[] {
  if (!isList(given) || given.length === 0) throw unexpected(name, 'a list of numbers, at least one', given)
  return Object.freeze(Array.from(given, (value, n) => finite(value, `${name}[${n}]`)))
}
