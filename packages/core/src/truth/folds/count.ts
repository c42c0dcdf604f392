/**
 * The number of pairs that count. It is off by at most the number of pairs that rounding decides. State: the number so far.
 *
 * @module
 */
import { distances, only } from '../error-analysis/judging.ts'
import { counts } from '../error-analysis/terms.ts'
import { combineEach, type ReductionDefinition, raise } from './definition.ts'

export const count: ReductionDefinition = {
  fold: (_, count) => ({ add: (row) => raise(count, row, 1) }),
  combine: (a, b) => combineEach(a, b, (x, y) => x + y),
  judge(terms, out, truth) {
    const undecided = terms.certainty
      .subarray(0, terms.length)
      .reduce((total, c) => total + (c === counts.surely ? 0 : 1), 0)
    const [name, expected] = only(truth)
    return { [name]: { errors: distances(out[name], expected), bounds: [undecided] } }
  },
}
