/**
 * Copies a caller's data at once, for calls that must load code before they can check it.
 *
 * @module
 */
import { isDetached } from './arrays/other-forms.ts'
import { isGpuBuffer } from './checks.ts'

/** The same data with copies of its arrays, lists and objects. An iterable becomes a list; a GPUBuffer stays. */
export function taken<T>(given: T): T {
  return copyOf(given) as T
}

function copyOf(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || isGpuBuffer(given)) return given
  // A check will refuse a detached array by its name.
  if (ArrayBuffer.isView(given))
    return isDetached(given) ? given : ((given as Partial<Float32Array>).slice?.() ?? given)
  if (Symbol.iterator in given) return Array.from(given as Iterable<unknown>, copyOf)
  const copies = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, copyOf(value)]))
  // Keep the kind of the array, so that a message can name it.
  return Object.create(Object.getPrototypeOf(given), Object.getOwnPropertyDescriptors(copies))
}
