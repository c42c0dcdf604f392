/**
 * Terms added up, component by component; a NaN makes the sum NaN. State: the sum so far.
 *
 * @module
 */
import { accumulationError } from '../error-analysis/accumulation.ts'
import { addedErrors, distances, inReference, only } from '../error-analysis/judging.ts'
import { boundOf } from '../error-analysis/sums.ts'
import { combineEach, type ReductionDefinition, raise } from './definition.ts'

export const sum: ReductionDefinition = {
  fold: (width, value) => ({
    add(row, _, term) {
      for (let c = 0; c < width; c++) raise(value, row * width + c, term[c] as number)
    },
  }),
  combine: (a, b) => combineEach(a, b, (x, y) => x + y),
  judge(terms, out, truth, { arithmetic, report }) {
    const [name, expected] = only(truth)
    const bounds = terms.values.map((values, c) => {
      const added = new Float64Array(terms.length)
      for (let n = 0; n < terms.length; n++) if (inReference(terms, n)) added[n] = values[n] as number
      const errors = addedErrors(terms, c)
      return boundOf(errors, accumulationError(report, added, arithmetic, errors.largest), arithmetic)
    })
    return { [name]: { errors: distances(out[name], expected), bounds } }
  },
}
