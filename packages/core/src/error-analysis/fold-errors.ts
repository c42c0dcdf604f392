/**
 * For every reduction: how far the results of one target are from the reference, and how far they may be.
 *
 * The error of an index is that of the term of its source: if two terms are closer than their errors, either may be the
 * least. A count may be off by the number of pairs that rounding decides.
 *
 * @module
 */
import type { Report } from '../backend.ts'
import type { Reduction } from '../workloads/workload.ts'
import { accumulationError } from './accumulation.ts'
import type { Arithmetic } from './arithmetic.ts'
import { counts, type Terms } from './pair-terms.ts'

/** One entry for each number of a result, in order. */
export interface Judged {
  readonly errors: ArrayLike<number>
  readonly bounds: ArrayLike<number>
}

/** The numbers of one target by result, of the device and of the reference. */
export type Numbers = Readonly<Record<string, ArrayLike<number>>>

interface FoldContext {
  readonly arithmetic: Arithmetic
  readonly accumulation: Report['accumulation']
}

type Judge = (terms: Terms, out: Numbers, truth: Numbers, context: FoldContext) => Readonly<Record<string, Judged>>

const infinite = Number.POSITIVE_INFINITY

/** The distance between two numbers. Equal ones, also infinite or NaN, have distance 0; NaN is infinitely far from others. */
export function distance(a: number | undefined, b: number): number {
  if (Object.is(a, b) || a === b) return 0
  const d = Math.abs((a as number) - b)
  return Number.isNaN(d) ? infinite : d
}

const distances = (out: ArrayLike<number> | undefined, truth: ArrayLike<number>): Float64Array =>
  Float64Array.from(truth, (value, n) => distance(out?.[n], value))

const only = (numbers: Numbers): readonly [name: string, values: ArrayLike<number>] =>
  Object.entries(numbers)[0] as [string, ArrayLike<number>]

const inReference = (terms: Terms, n: number): boolean => terms.certainty[n] !== counts.perhaps

/** The error of an added term: the whole term, if rounding decides whether its pair counts. */
function addedError(terms: Terms, c: number, n: number): number {
  const [value, error] = [terms.values[c]?.[n] as number, terms.errors[c]?.[n] as number]
  if (terms.certainty[n] === counts.surely) return error
  return terms.certainty[n] === counts.unless ? Math.max(error, Math.abs(value)) : Math.abs(value) + error
}

const sum: Judge = (terms, out, truth, { arithmetic, accumulation }) => {
  const [name, expected] = only(truth)
  const bounds = terms.values.map((values, c) => {
    const added = new Float64Array(terms.length)
    let error = 0
    for (let n = 0; n < terms.length; n++) {
      if (inReference(terms, n)) added[n] = values[n] as number
      error += addedError(terms, c, n)
    }
    return error + accumulationError(accumulation, added, arithmetic)
  })
  return { [name]: { errors: distances(out[name], expected), bounds } }
}

const count: Judge = (terms, out, truth) => {
  const undecided = terms.certainty
    .subarray(0, terms.length)
    .reduce((total, c) => total + (c === counts.surely ? 0 : 1), 0)
  const [name, expected] = only(truth)
  return { [name]: { errors: distances(out[name], expected), bounds: [undecided] } }
}

const logsumexp: Judge = (terms, out, truth, { arithmetic, accumulation }) => {
  const [name, expected] = only(truth)
  const [value = 0] = Array.from(expected)
  const exponential = arithmetic.local('exp')
  const weights = new Float64Array(terms.length)
  let [error, largest, records] = [0, Number.NEGATIVE_INFINITY, 0]
  for (let n = 0; n < terms.length; n++) {
    const term = terms.values[0]?.[n] as number
    const weight = Math.exp(term - value)
    const rounded = arithmetic.unit * Math.abs(term - value) * weight + exponential(weight, term - value, 0)
    const size = terms.errors[0]?.[n] as number
    if (inReference(terms, n)) weights[n] = weight
    error += rounded + (terms.certainty[n] === counts.surely ? 0 : weight) + (size > 0 ? weight * Math.expm1(size) : 0)
    if (term > largest) [largest, records] = [term, records + 1]
  }
  // Whenever a larger term is met, what was added up is multiplied by an exponential.
  const rescaled = (records + Math.log2(terms.length + 1)) * (exponential(1, 1, 0) + arithmetic.unit)
  const relative = error + rescaled + accumulationError(accumulation, weights, arithmetic)
  const logarithm = arithmetic.local('log')
  const rest = value - largest
  const bound =
    (relative < 1 ? -Math.log1p(-relative) : infinite) +
    logarithm(rest, Math.exp(rest), 0) +
    2 * arithmetic.unit * Math.abs(value)
  return { [name]: { errors: distances(out[name], expected), bounds: [terms.length === 0 ? 0 : bound] } }
}

/** The least of the values times `sign`, which lies between `low` and `high` on every device. */
function extremes(terms: Terms, sign: number): readonly [low: number, high: number] {
  let [low, high] = [infinite, infinite]
  for (let n = 0; n < terms.length; n++) {
    const [value, error] = [sign * (terms.values[0]?.[n] as number), terms.errors[0]?.[n] as number]
    low = Math.min(low, value - error)
    if (terms.certainty[n] === counts.surely) high = Math.min(high, value + error)
  }
  return [low, high]
}

/** How far a number may be from the truth, which lies between two others. */
const within = (low: number, high: number, truth: number): number =>
  Math.max(distance(high, truth), distance(low, truth))

const extreme =
  (sign: 1 | -1, indexed: boolean): Judge =>
  (terms, out, truth) => {
    const [low, high] = extremes(terms, sign)
    const best = sign * (truth.value?.[0] as number)
    const value = { errors: distances(out.value, truth.value ?? []), bounds: [within(low, high, best)] }
    if (!indexed) return { value }
    return { value, index: indexJudged(terms, out.index?.[0], truth.index?.[0] as number, { sign, best, high }) }
  }

interface Best {
  readonly sign: 1 | -1
  readonly best: number
  readonly high: number
}

/** An index is right if its term may be the best; -1 is right if there may be no term. */
function indexJudged(terms: Terms, out: number | undefined, truth: number, { sign, best, high }: Best): Judged {
  if (out === truth) return { errors: [0], bounds: [0] }
  if (out === -1) return { errors: [high === infinite ? 0 : infinite], bounds: [0] }
  const n = terms.sources.subarray(0, terms.length).indexOf(out as number)
  if (n < 0) return { errors: [infinite], bounds: [0] }
  const [value, error] = [sign * (terms.values[0]?.[n] as number), terms.errors[0]?.[n] as number]
  return { errors: [truth === -1 ? 0 : Math.max(0, value - best)], bounds: [distance(high, best) + error] }
}

const smallest: Judge = (terms, out, truth, { arithmetic }) => {
  const root = arithmetic.local('sqrt')
  const [sources, lower, upper, sure] = [terms.sources.subarray(0, terms.length), [], [], []] as [
    Int32Array,
    number[],
    number[],
    number[],
  ]
  for (let n = 0; n < terms.length; n++) {
    const [r2, error] = [terms.values[0]?.[n] as number, terms.errors[0]?.[n] as number]
    const r = Math.sqrt(r2)
    const rounded = root(r, r2, 0)
    lower.push(Math.sqrt(Math.max(0, r2 - error)) - rounded)
    upper.push(Math.sqrt(r2 + error) + rounded)
    if (terms.certainty[n] === counts.surely) sure.push(upper[n] as number)
  }
  const lows = Float64Array.from(lower).sort()
  const highs = Float64Array.from(sure).sort()
  const [expected, indices, given] = [truth.distance ?? [], truth.index ?? [], Array.from(out.index ?? [])]
  const ranks = Array.from(expected, (d, k) => ({ d, low: lows[k] ?? infinite, high: highs[k] ?? infinite }))
  const errors = ranks.map(({ d, high }, k) => {
    const index = given[k]
    if (index === indices[k]) return 0
    if (index === -1) return high === infinite ? 0 : infinite
    const n = given.indexOf(index as number) === k ? sources.indexOf(index as number) : -1
    if (n < 0) return infinite
    const r = Math.sqrt(terms.values[0]?.[n] as number)
    return Number.isFinite(d) ? Math.abs(r - d) : 0
  })
  const bounds = ranks.map(({ d, low, high }, k) => {
    const n = given[k] === indices[k] ? -1 : sources.indexOf(given[k] as number)
    const around = Number.isFinite(d) ? within(low, high, d) : 0
    return n < 0 ? 0 : around + ((upper[n] as number) - (lower[n] as number)) / 2
  })
  return {
    index: { errors, bounds },
    distance: {
      errors: distances(out.distance, expected),
      bounds: ranks.map(({ d, low, high }) => within(low, high, d)),
    },
  }
}

const none: Judge = (terms, out, truth) => {
  const [name, expected] = only(truth)
  const bounds = new Float64Array(expected.length)
  for (let n = 0; n < terms.length; n++) bounds[terms.sources[n] as number] = addedError(terms, 0, n)
  return { [name]: { errors: distances(out[name], expected), bounds } }
}

export const foldErrors: Readonly<Record<Reduction, Judge>> = {
  sum,
  count,
  logsumexp,
  smallest,
  none,
  min: extreme(1, false),
  max: extreme(-1, false),
  argmin: extreme(1, true),
  argmax: extreme(-1, true),
}
