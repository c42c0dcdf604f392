/**
 * Errors beside their bounds, number by number: what the bounds of all reductions need.
 *
 * @module
 */
import { counts, type Terms } from './terms.ts'

/** One entry for each number of a result, in order. */
export interface Judged {
  readonly errors: ArrayLike<number>
  readonly bounds: ArrayLike<number>
}

/** The numbers of one target by result, of the device and of the reference. */
export type Numbers = Readonly<Record<string, ArrayLike<number>>>

/** The distance between two numbers. Equal ones, also infinite or NaN, have distance 0; NaN is infinitely far from others. */
export function distance(a: number | undefined, b: number): number {
  if (Object.is(a, b) || a === b) return 0
  const d = Math.abs((a as number) - b)
  return Number.isNaN(d) ? Number.POSITIVE_INFINITY : d
}

export const distances = (out: ArrayLike<number> | undefined, truth: ArrayLike<number>): Float64Array =>
  Float64Array.from(truth, (value, n) => distance(out?.[n], value))

/** The only result of a reduction that has one. */
export const only = (numbers: Numbers): readonly [name: string, values: ArrayLike<number>] =>
  Object.entries(numbers)[0] as [string, ArrayLike<number>]

export const inReference = (terms: Terms, n: number): boolean => terms.certainty[n] !== counts.perhaps

/** The error of an added term: the whole term, if rounding decides whether its pair counts. */
export function addedError(terms: Terms, c: number, n: number): number {
  const [value, error] = [terms.values[c]?.[n] as number, terms.errors[c]?.[n] as number]
  if (terms.certainty[n] === counts.surely) return error
  return terms.certainty[n] === counts.unless ? Math.max(error, Math.abs(value)) : Math.abs(value) + error
}

/** How far a number may be from the truth, which lies between two others. */
export const within = (low: number, high: number, truth: number): number =>
  Math.max(distance(high, truth), distance(low, truth))
