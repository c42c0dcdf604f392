/**
 * The `k` least distances and their sources, ascending, equal ones in the order of sources. State: both so far, index -1
 * where fewer than `k` were met.
 *
 * @module
 */
import { distances, roundedOf, within } from '../error-analysis/judging.ts'
import { counts } from '../error-analysis/terms.ts'
import { combineRanked } from './combine-ranked.ts'
import type { ReductionDefinition } from './definition.ts'

export const smallest: ReductionDefinition = {
  /** Compares distances, not squares: earlier results hold distances, and squaring a rounded root does not restore the number. */
  fold(k, index, distance) {
    return {
      add(row, j, [term = 0]) {
        const next = Math.sqrt(term)
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
  combine: (a, b, { k }) => combineRanked(a, b, 'distance', 1, k),
  judge(terms, out, truth, { arithmetic }) {
    const root = arithmetic.local('sqrt')
    const both = roundedOf(arithmetic)
    const [sources, lower, upper, sure] = [terms.sources.subarray(0, terms.length), [], [], []] as [
      Int32Array,
      number[],
      number[],
      number[],
    ]
    for (let n = 0; n < terms.length; n++) {
      const [r2, error] = [terms.values[0]?.[n] as number, both * (terms.errors[0]?.[n] as number)]
      const r = Math.sqrt(r2)
      const rounded = both * root(r, r2, 0)
      lower.push(Math.sqrt(Math.max(0, r2 - error)) - rounded)
      upper.push(Math.sqrt(r2 + error) + rounded)
      if (terms.certainty[n] === counts.surely) sure.push(upper[n] as number)
    }
    const lows = Float64Array.from(lower).sort()
    const highs = Float64Array.from(sure).sort()
    const [expected, indices, given] = [truth.distance ?? [], truth.index ?? [], Array.from(out.index ?? [])]
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
  },
}
