/**
 * How large the numbers of an array are, found in one pass: whether all are finite, the largest magnitude, and which are
 * near 0.
 *
 * @module
 */
import { added } from './added.ts'
import { extremes, type FloatArray, hasFiniteSum, partOf, windowLength } from './extremes.ts'

export type { FloatArray }

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

/** No index. */
const none: readonly number[] = []

type Measured = { -readonly [Name in keyof Magnitudes]: Magnitudes[Name] }

/** Magnitudes of arrays that no longer change. */
const known = new WeakMap<FloatArray, Measured>()

export function magnitudesOf(array: FloatArray): Magnitudes {
  return known.get(array) ?? measure(array, { largest: 0, small: none })
}

/** Measures an array that will not change until it is measured again, and remembers the result. */
export function rememberMagnitudes(array: FloatArray): Magnitudes {
  const before = known.get(array)
  if (before) return measure(array, before)
  const magnitudes = measure(array, { largest: 0, small: none })
  known.set(array, magnitudes)
  return magnitudes
}

/**
 * Whether all numbers are finite, for results, where nobody needs magnitudes. An array of large finite numbers may look infinite,
 * because their sum is.
 */
export function looksFinite(array: FloatArray): boolean {
  if (array instanceof Float64Array) return Number.isFinite(added(array))
  for (let first = 0; first < array.length; first += windowLength) {
    const last = Math.min(array.length, first + windowLength)
    if (!(hasFiniteSum(array, first, last) ?? isSumFinite(array, first, last))) return false
  }
  return true
}

/** A loop over arrays of one type makes no object for any number. */
function isSumFinite(array: Float32Array, first: number, last: number): boolean {
  let sum = 0
  for (let n = first; n < last; n++) sum += array[n] as number
  return Number.isFinite(sum)
}

const withoutSign = 0x7fffffff
/** Numbers in a row as floats, and their bits. */
const floats = new Float32Array(windowLength)
const bits = new Int32Array(floats.buffer)
floats[0] = nearZero
const [nearBits = 0] = bits
/** The indices of small numbers, and how many they are, for as long as one array is measured. */
const small = new Uint32Array(many + 1)
let smallCount = 0

/** Floats without their sign are in the order of their bits, read as integers. */
function measure(array: FloatArray, magnitudes: Measured): Magnitudes {
  let range = 0
  smallCount = 0
  for (let first = 0; first < array.length; first += windowLength) {
    const last = Math.min(array.length, first + windowLength)
    const found = extremes(array, first, last)
    // The loop below collects small numbers, too.
    if (found && (found.least >= nearBits || smallCount > many)) range = Math.max(range, found.most - nearBits)
    else {
      floats.set(partOf(array, first, last))
      range = scanned(first, last - first, range)
    }
  }
  bits[0] = nearBits + range
  magnitudes.largest = floats[0] as number
  magnitudes.small = smallCount > many ? undefined : smallCount === 0 ? none : indices(magnitudes.small)
  return magnitudes
}

/** @param before the list of earlier numbers, which often are small in the same places */
function indices(before: readonly number[] | undefined): readonly number[] {
  if (before?.length === smallCount && before.every(isSmallThere)) return before
  const list = new Array<number>(smallCount)
  for (let n = 0; n < smallCount; n++) list[n] = small[n] as number
  return list
}

const isSmallThere = (index: number, n: number) => small[n] === index

/** The range with the numbers in a row in it, four at a time. @param place the index of the first of them */
function scanned(place: number, count: number, before: number): number {
  let range = before
  const quads = count - (count % 4)
  for (let n = 0; n < quads; n += 4) {
    // Most numbers lie between `nearZero` and the largest so far. One comparison of unsigned integers tests this.
    const a = ((bits[n] as number) & withoutSign) - nearBits
    const b = ((bits[n + 1] as number) & withoutSign) - nearBits
    const c = ((bits[n + 2] as number) & withoutSign) - nearBits
    const d = ((bits[n + 3] as number) & withoutSign) - nearBits
    if (a >>> 0 > range || b >>> 0 > range || c >>> 0 > range || d >>> 0 > range)
      range = widened(place, n, n + 4, range)
  }
  return widened(place, quads, count, range)
}

/** The range with these numbers in it. Collects the indices of small ones. */
function widened(place: number, first: number, last: number, range: number): number {
  let wider = range
  for (let n = first; n < last; n++) {
    const above = ((bits[n] as number) & withoutSign) - nearBits
    if (above > wider) wider = above
    else if (above < 0 && smallCount <= many) small[smallCount++] = place + n
  }
  return wider
}
