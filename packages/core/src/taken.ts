/**
 * Copies a caller's data at once, for calls that must load code before they can check it.
 *
 * @module
 */

/** The same data with copies of its arrays, lists and objects. An iterable becomes a list. */
export function taken<T>(given: T): T {
  return copyOf(given) as T
}

function copyOf(given: unknown): unknown {
  if (given instanceof Float32Array) return new Float32Array(given)
  if (given instanceof Float64Array) return new Float64Array(given)
  if (typeof given !== 'object' || given === null || ArrayBuffer.isView(given)) return given
  if (Symbol.iterator in given) return Array.from(given as Iterable<unknown>, copyOf)
  const copies = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, copyOf(value)]))
  // Keep the kind of the array, so that a message can name it.
  return Object.create(Object.getPrototypeOf(given), Object.getOwnPropertyDescriptors(copies))
}
