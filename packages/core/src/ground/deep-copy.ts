/**
 * Copies a caller's data at once, for calls that must load code before they can check it.
 *
 * @module
 */
import { isDetached } from './arrays/other-forms.ts'
import { hasNames, isGpuBuffer } from './checks.ts'
import { entriesOf } from './entries.ts'
import { neverChanges } from './made-or-given.ts'

/**
 * The same data with copies of its arrays, lists and objects. An iterable becomes a list; a GPUBuffer stays, and so do laws
 * that constructors here have made, so that nothing is derived from them again.
 *
 * @throws TypeError, RangeError for data without an end
 */
export function deepCopy<T>(given: T): T {
  return copyOf(given, 'options') as T
}

/** An object that is being copied, and the one that it is part of. */
interface Around {
  readonly whole: object
  readonly outer: Around | undefined
}

function copyOf(given: unknown, name: string, outer?: Around): unknown {
  if (typeof given !== 'object' || given === null || isGpuBuffer(given) || neverChanges(given)) return given
  // A check will refuse a detached array by its name.
  if (ArrayBuffer.isView(given))
    return isDetached(given) ? given : ((given as Partial<Float32Array>).slice?.() ?? given)
  requireEnd(given, name, outer)
  const around = { whole: given, outer }
  if (Symbol.iterator in given)
    return entriesOf(given as Iterable<unknown>, name).map((entry) => copyOf(entry, name, around))
  // A Promise, for example, which a check will refuse.
  if (!hasNames(given)) return given
  const copies = Object.fromEntries(Object.entries(given).map(([key, value]) => [key, copyOf(value, key, around)]))
  const kind = Object.getPrototypeOf(given)
  // Keep the kind of the array, so that a message can name it.
  return kind === Object.prototype ? copies : Object.create(kind, Object.getOwnPropertyDescriptors(copies))
}

/** @throws TypeError for an object that is a part of itself */
function requireEnd(given: object, name: string, outer: Around | undefined): void {
  for (let around = outer; around; around = around.outer)
    if (around.whole === given) throw new TypeError(`"${name}" expected plain data, got an object that contains itself`)
}
