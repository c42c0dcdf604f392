/**
 * Reductions that keep the k least numbers of a target and their sources, ascending, equal ones in the order of sources. State: both so
 * far, index -1 where fewer than k were met.
 *
 * @module
 */
import type { FloatArray } from '../../ground/checks.ts'
import type { Arithmetic } from '../error-analysis/arithmetic.ts'
import { distances, roundedOf, within } from '../error-analysis/judging.ts'
import { counts } from '../error-analysis/terms.ts'
import { combineRanked } from './combine-ranked.ts'
import type { ReductionDefinition } from './definition.ts'

/** The numbers that are kept, as functions of terms. */
interface Kept {
  /** The result that holds them. */
  readonly name: string
  readonly ofTerm: (term: number) => number
  /** How far a device may round a number, besides the error of its term. */
  readonly rounded: (arithmetic: Arithmetic, number: number, term: number) => number
}

export const keptLeast = ({ name, ofTerm, rounded }: Kept): ReductionDefinition => ({
  /** Compares results, not terms: earlier results may hold distances, and squaring a rounded root does not restore the number. */
  fold(k, index, distance) {
    return {
      add(row, j, [term = 0]) {
        const next = ofTerm(term)
        const last = (row + 1) * k
        let at = last
        while (at > last - k && next < (distance[at - 1] as number)) at--
        if (at === last) return
        distance.copyWithin(at + 1, at, last - 1)
        index.copyWithin(at + 1, at, last - 1)
        distance[at] = next
        index[at] = j
      },
    }
  },
  combine: (a, b, { k }) => combineRanked(a, b, name, 1, k),
  judge(terms, out, truth, { arithmetic }) {
    const both = roundedOf(arithmetic)
    const [sources, lower, upper, sure] = [terms.sources.subarray(0, terms.length), [], [], []] as [
      Int32Array,
      number[],
      number[],
      number[],
    ]
    for (let n = 0; n < terms.length; n++) {
      const [r2, error] = [terms.values[0]?.[n] as number, both * (terms.errors[0]?.[n] as number)]
      const own = both * rounded(arithmetic, ofTerm(r2), r2)
      lower.push(ofTerm(r2 - error) - own)
      upper.push(ofTerm(r2 + error) + own)
      if (terms.certainty[n] === counts.surely) sure.push(upper[n] as number)
    }
    const lows = Float64Array.from(lower).sort()
    const highs = Float64Array.from(sure).sort()
    const [expected, indices, given] = [
      (truth[name] ?? []) as FloatArray,
      truth.index ?? [],
      Array.from(out.index ?? []),
    ]
    const ranks = Array.from(expected, (d, k) => ({
      d,
      low: lows[k] ?? Number.POSITIVE_INFINITY,
      high: highs[k] ?? Number.POSITIVE_INFINITY,
    }))
    const errors = ranks.map(({ d, high }, k) => {
      const index = given[k]
      if (index === indices[k]) return 0
      if (index === -1) return high === Number.POSITIVE_INFINITY ? 0 : Number.POSITIVE_INFINITY
      const n = given.indexOf(index as number) === k ? sources.indexOf(index as number) : -1
      if (n < 0) return Number.POSITIVE_INFINITY
      const r = ofTerm(terms.values[0]?.[n] as number)
      return Number.isFinite(d) ? Math.abs(r - d) : 0
    })
    const bounds = ranks.map(({ d, low, high }, k) => {
      const n = given[k] === indices[k] ? -1 : sources.indexOf(given[k] as number)
      const around = Number.isFinite(d) ? within(low, high, d) : 0
      return n < 0 ? 0 : around + ((upper[n] as number) - (lower[n] as number)) / 2
    })
    return {
      index: { errors, bounds },
      [name]: {
        errors: distances(out[name], expected),
        bounds: ranks.map(({ d, low, high }) => within(low, high, d)),
      },
    }
  },
})
