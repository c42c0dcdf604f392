/**
 * Numbers in forms that are not taken: points as objects or lists, text, arrays of other types. For each form there is a line of
 * code that makes a flat array of it, which messages give.
 *
 * @module
 */

/** The axes of a point as an object, or of its velocity. */
const axesOf = (name: string): readonly string[] =>
  /velocit(y|ies)$/.test(name) ? ['vx', 'vy', 'vz'] : ['x', 'y', 'z']

/**
 * The expression that makes a flat array of a value; undefined if there is none.
 *
 * @param name the caller's name for the value
 */
export function flattened(value: unknown, name: string): string | undefined {
  if (typeof value === 'string')
    return areNumbers(value.split(',')) ? `Float32Array.from(${name}.split(','), Number)` : undefined
  if (Array.isArray(value)) return flattenedList(value, name)
  if (typeof value !== 'object' || value === null) return undefined
  if (value instanceof DataView || value instanceof ArrayBuffer)
    return `new Float32Array(${name}${value instanceof DataView ? '.buffer' : ''})`
  if (ArrayBuffer.isView(value)) return `Float32Array.from(${name}${isBig(value) ? ', Number' : ''})`
  // A BufferAttribute of three.js, or a tensor of its kind.
  if ('array' in value && ArrayBuffer.isView(value.array)) return `${name}.array`
  return Symbol.iterator in value ? `Float32Array.from(${name})` : undefined
}

function flattenedList(list: readonly unknown[], name: string): string | undefined {
  const item = list.find((one) => typeof one !== 'number')
  if (Array.isArray(item)) return `${name}.flat()`
  if (typeof item === 'bigint' || (typeof item === 'string' && areNumbers(list)))
    return `Float32Array.from(${name}, Number)`
  if (typeof item !== 'object' || item === null) return undefined
  if (ArrayBuffer.isView(item)) return `Float32Array.from(${name}.flatMap((numbers) => [...numbers]))`
  const point = item as Readonly<Record<string, unknown>>
  const isNumber = (key: string) => typeof point[key] === 'number'
  const axes = axesOf(name).filter(isNumber)
  const keys = axes.length > 0 ? axes : Object.keys(point).filter((key) => /^[a-z_]\w*$/i.test(key) && isNumber(key))
  const names = keys.join(', ')
  return keys.length > 0 ? `Float32Array.from(${name}.flatMap(({ ${names} }) => [${names}]))` : undefined
}

const areNumbers = (texts: readonly unknown[]): boolean =>
  texts.every((text) => String(text).trim() !== '' && Number.isFinite(Number(text)))

const isBig = (view: object): boolean => view instanceof BigInt64Array || view instanceof BigUint64Array

/** The same array, if it is one of another page or frame, where a class of the same name made it. */
export function fromOtherRealm(value: unknown): Float32Array | Float64Array | undefined {
  if (!ArrayBuffer.isView(value)) return undefined
  const { buffer, byteOffset, length } = value as Float32Array
  const kind = Object.prototype.toString.call(value)
  if (kind === '[object Float32Array]') return new Float32Array(buffer, byteOffset, length)
  return kind === '[object Float64Array]' ? new Float64Array(buffer, byteOffset, length) : undefined
}

/** Whether the memory of an array has gone to another thread, or has been made too short. Such an array has no numbers left. */
export function isDetached(array: ArrayBufferView): boolean {
  try {
    if (array.byteLength === 0 && !(array instanceof DataView)) Uint8Array.prototype.values.call(array as Uint8Array)
    return false
  } catch {
    return true
  }
}
