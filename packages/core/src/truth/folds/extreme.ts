/**
 * The least or the greatest term, and the first source that has it; a NaN is neither. The error of an index is the error of the term of
 * its source: if two terms are closer than their errors, either may be the least.
 *
 * @module
 */
import { distance, distances, type Judged, roundedOf, type TargetNumbers, within } from '../error-analysis/judging.ts'
import { counts, type Terms } from '../error-analysis/terms.ts'
import { combineRanked } from './combine-ranked.ts'
import { type Column, combineEach, type Folding, type ReductionDefinition } from './definition.ts'

/** @param sign 1 for the least, -1 for the greatest */
export function extreme(sign: 1 | -1): ReductionDefinition {
  return {
    fold: (_, value) => folded(sign, value),
    combine: (a, b) => combineEach(a, b, sign === 1 ? Math.min : Math.max),
    judge: (terms, out, truth, { arithmetic }) => ({
      value: valueJudged(out, truth, bestOf(sign, terms, truth, roundedOf(arithmetic))),
    }),
  }
}

/** @param sign 1 for the least, -1 for the greatest */
export function indexedExtreme(sign: 1 | -1): ReductionDefinition {
  return {
    fold: (_, index, value) => folded(sign, value, index),
    combine: (a, b) => combineRanked(a, b, 'value', sign),
    judge(terms, out, truth, { arithmetic }) {
      const best = bestOf(sign, terms, truth, roundedOf(arithmetic))
      return {
        value: valueJudged(out, truth, best),
        index: indexJudged(terms, out.index?.[0], truth.index?.[0] as number, best),
      }
    },
  }
}

function folded(sign: 1 | -1, value: Column, index?: Column): Folding {
  return {
    add(row, j, [term = 0]) {
      if (!(sign * term < sign * (value[row] as number))) return
      value[row] = term
      if (index) index[row] = j
    },
  }
}

interface Best {
  readonly sign: 1 | -1
  /** The value of the reference times the sign. */
  readonly best: number
  /** On every device, the best value times the sign lies between these. */
  readonly low: number
  readonly high: number
  /** How many errors of a term lie between it and the term of the reference. */
  readonly rounded: number
}

function bestOf(sign: 1 | -1, terms: Terms, truth: TargetNumbers, rounded: number): Best {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let n = 0; n < terms.length; n++) {
    const [value, error] = [sign * (terms.values[0]?.[n] as number), rounded * (terms.errors[0]?.[n] as number)]
    low = Math.min(low, value - error)
    if (terms.certainty[n] === counts.surely) high = Math.min(high, value + error)
  }
  return { sign, best: sign * (truth.value?.[0] as number), low, high, rounded }
}

function valueJudged(out: TargetNumbers, truth: TargetNumbers, { low, high, best }: Best): Judged {
  return { errors: distances(out.value, truth.value ?? []), bounds: [within(low, high, best)] }
}

/** An index is right if its term may be the best; -1 is right if there may be no term. */
function indexJudged(
  terms: Terms,
  out: number | undefined,
  truth: number,
  { sign, best, high, rounded }: Best,
): Judged {
  if (out === truth) return { errors: [0], bounds: [0] }
  if (out === -1) return { errors: [high === Number.POSITIVE_INFINITY ? 0 : Number.POSITIVE_INFINITY], bounds: [0] }
  const n = terms.sources.subarray(0, terms.length).indexOf(out as number)
  if (n < 0) return { errors: [Number.POSITIVE_INFINITY], bounds: [0] }
  const [value, error] = [sign * (terms.values[0]?.[n] as number), rounded * (terms.errors[0]?.[n] as number)]
  return { errors: [truth === -1 ? 0 : Math.max(0, value - best)], bounds: [distance(high, best) + error] }
}
