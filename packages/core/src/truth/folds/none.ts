/**
 * Keeps every term: a row of a matrix. State: the row, 0 for pairs that do not count.
 *
 * @module
 */
import { addedError, distanceFrom, distances, inReference, only } from '../error-analysis/judging.ts'
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
    const [errors, bounds] = [distances(out[name], expected), new Float64Array(expected.length)]
    for (let n = 0; n < terms.length; n++) {
      const j = terms.sources[n] as number
      bounds[j] = addedError(terms, 0, n)
      if (inReference(terms, n))
        errors[j] = distanceFrom(out[name]?.[j], [terms.values[0]?.[n] as number, terms.lost[0]?.[n] as number])
    }
    return { [name]: { errors, bounds } }
  },
}
