/**
 * How large the numbers of an array are, found in one pass: whether all are finite, the largest magnitude, and which are
 * near 0.
 *
 * @module
 */
import { added } from './added.ts'
import { extremes, hasFiniteSum, windowLength } from './extremes.ts'

export type FloatArray = Float32Array | Float64Array

/** Magnitudes as float32 has them. */
export interface Magnitudes {
  /** At least {@link nearZero}; not finite if some number exceeds float32, or is not finite itself. */
  readonly largest: number
  /** The indices of numbers below {@link nearZero}, zeros included; undefined if there are many. */
  readonly small: readonly number[] | undefined
}

export const nearZero: number = 2 ** -17

/** The most indices that are collected. */
const many = 256

/** Magnitudes of arrays that no longer change. */
const known = new WeakMap<FloatArray, Magnitudes>()

export function magnitudesOf(array: FloatArray): Magnitudes {
  return known.get(array) ?? measured(array)
}

/** Measures an array that will not change until it is measured again, and remembers the result. */
export function rememberMagnitudes(array: FloatArray): Magnitudes {
  const magnitudes = measured(array)
  known.set(array, magnitudes)
  return magnitudes
}

/**
 * Whether all numbers are finite, for results, where nobody needs magnitudes. An array of large finite numbers may look infinite,
 * because their sum is.
 */
export function looksFinite(array: FloatArray): boolean {
  if (array instanceof Float64Array || array.length <= few) return Number.isFinite(added(array))
  const bits = new Int32Array(array.buffer, array.byteOffset, array.length)
  for (let first = 0; first < array.length; first += windowLength) {
    const last = Math.min(array.length, first + windowLength)
    if (!(hasFiniteSum(bits.subarray(first, last)) ?? Number.isFinite(added(array.subarray(first, last))))) return false
  }
  return true
}

/** So many numbers are added up before views of an array are made. */
const few = 1024

const withoutSign = 0x7fffffff
/** A float, and its bits. */
const oneFloat = Float32Array.of(nearZero)
const oneBits = new Int32Array(oneFloat.buffer)
const [nearBits = 0] = oneBits

/** Floats without their sign are in the order of their bits, read as integers. */
function measured(array: FloatArray): Magnitudes {
  const { buffer, byteOffset, length } = array instanceof Float32Array ? array : new Float32Array(array)
  const bits = new Int32Array(buffer, byteOffset, length)
  const small: number[] = []
  let range = 0
  for (let first = 0; first < length; first += windowLength) {
    const last = Math.min(length, first + windowLength)
    const found = extremes(bits.subarray(first, last))
    // The loop below collects small numbers, too.
    if (found && (found.least >= nearBits || small.length > many)) range = Math.max(range, found.most - nearBits)
    else range = scanned(bits, first, last, range, small)
  }
  oneBits[0] = nearBits + range
  return { largest: oneFloat[0] as number, small: small.length > many ? undefined : small }
}

/** The range with these numbers in it, four at a time. */
function scanned(bits: Int32Array, first: number, last: number, before: number, small: number[]): number {
  let range = before
  const quads = last - ((last - first) % 4)
  for (let n = first; n < quads; n += 4) {
    // Most numbers lie between `nearZero` and the largest so far. One comparison of unsigned integers tests this.
    const a = ((bits[n] as number) & withoutSign) - nearBits
    const b = ((bits[n + 1] as number) & withoutSign) - nearBits
    const c = ((bits[n + 2] as number) & withoutSign) - nearBits
    const d = ((bits[n + 3] as number) & withoutSign) - nearBits
    if (a >>> 0 > range || b >>> 0 > range || c >>> 0 > range || d >>> 0 > range)
      range = widened(bits, n, n + 4, range, small)
  }
  return widened(bits, quads, last, range, small)
}

/** The range with these numbers in it. Adds the indices of small ones to the list. */
function widened(bits: Int32Array, first: number, last: number, range: number, small: number[]): number {
  let wider = range
  for (let n = first; n < last; n++) {
    const above = ((bits[n] as number) & withoutSign) - nearBits
    if (above > wider) wider = above
    else if (above < 0 && small.length <= many) small.push(n)
  }
  return wider
}
