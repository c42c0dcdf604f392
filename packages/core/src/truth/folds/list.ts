/**
 * The sources of all pairs that count, one list for each target, ascending. A list may lack or add a source if rounding decides
 * whether its pair counts. State: the lists so far.
 *
 * @module
 */

import { listsFrom, mergedLists } from '../../problem/reductions/lists.ts'
import { counts, type Terms } from '../error-analysis/terms.ts'
import type { ReductionDefinition } from './definition.ts'

export const list: ReductionDefinition = {
  fold(_, offsets) {
    const rows = Array.from({ length: offsets.length - 1 }, (): number[] => [])
    return { add: (row, j) => rows[row]?.push(j), results: () => listsFrom(rows) }
  },
  combine: mergedLists,
  judge(terms, out, truth) {
    const [given, expected] = [Array.from(out.index ?? []), Array.from(truth.index ?? [])]
    const undecided = undecidedIn(terms)
    const [had, wanted] = [new Set(given), new Set(expected)]
    const differing = [...given.filter((j) => !wanted.has(j)), ...expected.filter((j) => !had.has(j))]
    const ascending = given.every((j, n) => n === 0 || j > (given[n - 1] as number))
    const explained = ascending && differing.every((j) => undecided.has(j))
    return {
      offsets: { errors: [Math.abs(given.length - expected.length)], bounds: [undecided.size] },
      index: { errors: [explained ? differing.length : Number.POSITIVE_INFINITY], bounds: [undecided.size] },
    }
  },
}

/** The sources with a pair that counts or not by rounding. */
function undecidedIn({ sources, certainty, length }: Terms): ReadonlySet<number> {
  return new Set(sources.subarray(0, length).filter((_, n) => certainty[n] !== counts.surely))
}
