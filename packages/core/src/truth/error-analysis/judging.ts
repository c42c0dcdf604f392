/**
 * Errors beside their bounds, number by number: the common part of the bounds of all reductions.
 *
 * @module
 */
import type { Arithmetic } from './arithmetic.ts'
import type { Pair } from './losses.ts'
import type { SumError } from './sums.ts'
import { counts, type Terms } from './terms.ts'

/** One entry for each number of a result, in order. */
export interface Judged {
  readonly errors: ArrayLike<number>
  readonly bounds: ArrayLike<number>
}

/** The numbers of one target by result, of the device and of the reference. */
export type TargetNumbers = Readonly<Record<string, ArrayLike<number>>>

/** The distance between two numbers. Equal ones, also infinite or NaN, have distance 0; NaN is infinitely far from others. */
export function distance(a: number | undefined, b: number): number {
  if (Object.is(a, b) || a === b) return 0
  const d = Math.abs((a as number) - b)
  return Number.isNaN(d) ? Number.POSITIVE_INFINITY : d
}

/** The distance between a number and an exact one. */
export function distanceFrom(out: number | undefined, [high, low]: Pair): number {
  const d = distance(out, high)
  return low === 0 || d === Number.POSITIVE_INFINITY ? d : Math.abs((out as number) - high - low)
}

/**
 * How many of the two compared numbers have been rounded. In float64 the reference rounds as a device does, wherever its
 * loss is not known.
 */
export const roundedOf = ({ single }: Pick<Arithmetic, 'single'>): number => (single ? 1 : 2)

export const distances = (out: ArrayLike<number> | undefined, truth: ArrayLike<number>): Float64Array =>
  Float64Array.from(truth, (value, n) => distance(out?.[n], value))

/** The only result of a reduction that has one. */
export const only = (numbers: TargetNumbers): readonly [name: string, values: ArrayLike<number>] =>
  Object.entries(numbers)[0] as [string, ArrayLike<number>]

export const inReference = (terms: Terms, n: number): boolean => terms.certainty[n] !== counts.perhaps

/** The error of a term that is kept or added: the whole term, if rounding decides whether its pair counts. */
export function addedError(terms: Terms, c: number, n: number): number {
  const [value, error] = [terms.values[c]?.[n] as number, terms.errors[c]?.[n] as number]
  if (terms.certainty[n] === counts.surely) return error
  return terms.certainty[n] === counts.unless ? Math.max(error, Math.abs(value)) : Math.abs(value) + error
}

/** The errors of a component of all terms, if the terms are added. */
export function addedErrors(terms: Terms, c: number): SumError {
  const [systematic, random] = [terms.systematic[c] as Float64Array, terms.random[c] as Float64Array]
  let [largest, same, squares, scale] = [0, 0, 0, 0]
  for (let n = 0; n < terms.length; n++) scale = Math.max(scale, random[n] as number)
  if (scale === Number.POSITIVE_INFINITY) return { largest: scale, systematic: scale, random: scale }
  for (let n = 0; n < terms.length; n++) {
    const error = addedError(terms, c, n)
    const sure = terms.certainty[n] === counts.surely
    largest += error
    same += sure ? (systematic[n] as number) : error
    if (sure && scale > 0) squares += ((random[n] as number) / scale) ** 2
  }
  return { largest, systematic: same, random: scale * Math.sqrt(terms.alike * squares) }
}

/** How far a number may be from the truth, which lies between two others. */
export const within = (low: number, high: number, truth: number): number =>
  Math.max(distance(high, truth), distance(low, truth))
