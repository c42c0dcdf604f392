/**
 * Terms added up, component by component; a NaN makes the sum NaN. State: the sum so far.
 *
 * @module
 */
import { accumulationError } from '../error-analysis/accumulation.ts'
import { addedErrors, distanceFrom, inReference, only } from '../error-analysis/judging.ts'
import { totalOf } from '../error-analysis/losses.ts'
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
    const [name] = only(truth)
    const judged = terms.values.map((values, c) => {
      const [added, lost] = [new Float64Array(terms.length), new Float64Array(terms.length)]
      for (let n = 0; n < terms.length; n++) {
        if (!inReference(terms, n)) continue
        added[n] = values[n] as number
        lost[n] = terms.lost[c]?.[n] as number
      }
      const errors = addedErrors(terms, c)
      return {
        error: distanceFrom(out[name]?.[c], totalOf(added, lost)),
        bound: boundOf(errors, accumulationError(report, added, arithmetic, errors.largest, terms.factors)),
      }
    })
    return { [name]: { errors: judged.map(({ error }) => error), bounds: judged.map(({ bound }) => bound) } }
  },
}
