/**
 * Keeps every term: a row of a matrix. State: the row, 0 for pairs that do not count.
 *
 * @module
 */
import { addedError, distances, only } from '../error-analysis/judging.ts'
import { combineEach, type ReductionDefinition } from './definition.ts'

export const none: ReductionDefinition = {
  fold: (width, value) => ({
    add(row, j, [term = 0]) {
      value[row * width + j] = term
    },
  }),
  /** At most one of the parts has the pair. */
  combine: (a, b) => combineEach(a, b, (x, y) => (x === 0 ? y : x)),
  judge(terms, out, truth) {
    const [name, expected] = only(truth)
    const bounds = new Float64Array(expected.length)
    for (let n = 0; n < terms.length; n++) bounds[terms.sources[n] as number] = addedError(terms, 0, n)
    return { [name]: { errors: distances(out[name], expected), bounds } }
  },
}
