/**
 * Folds the terms of targets into results, as their reduction defines.
 *
 * A fold owns its result arrays, may continue earlier results of other source ranges, and gets terms in source order. The
 * rules in `reductions/` give the results and their first values, the definitions in `folds/` add the terms.
 *
 * @module
 */

import { ruleOf } from '../../problem/reductions/table.ts'
import { resultArrays } from '../../problem/workloads/bodies/result-arrays.ts'
import type { ArrayResults, PairWorkload, Shape } from '../../problem/workloads/workload.ts'
import type { Column } from '../folds/definition.ts'
import { raise } from '../folds/definition.ts'
import { definitions } from '../folds/definitions.ts'

export interface Fold {
  /** Adds the term of source `j` to the target in `row`. */
  add(row: number, j: number, term: Float64Array): void
  /** The results of all rows. Called once, at the end. */
  results(): ArrayResults
}

/** The fold for a number of targets (`rows`), which may continue the results of earlier ranges. */
export function foldOf(workload: PairWorkload, shape: Shape, rows: number, initial: ArrayResults = {}): Fold {
  const empty = Object.values(ruleOf(workload).results)
  const arrays = [...resultArrays(workload, { ...shape, targets: rows }, 'f64')].map(
    ([name, { Type, length }], n): [string, Column] => {
      const earlier = initial[name]
      return [name, earlier ? Type.from(earlier) : new Type(length).fill(empty[n] as number)]
    },
  )
  const [first, second = first] = arrays.map(([, numbers]) => numbers) as [Column, Column?]
  const {
    add,
    finish,
    results = () => Object.fromEntries(arrays),
  } = definitions[workload.reduction].fold(first.length / rows, first, second)
  return {
    add,
    results() {
      finish?.()
      return results()
    },
  }
}

/** Without overflow, as `Math.hypot`, which costs as much as all the rest of a pair. */
function lengthOf(term: Float64Array): number {
  let largest = 0
  for (let c = 0; c < term.length; c++) largest = Math.max(largest, Math.abs(term[c] as number))
  if (term.length === 1 || !(largest > 0 && largest < Number.POSITIVE_INFINITY)) return largest
  let sum = 0
  for (let c = 0; c < term.length; c++) sum += ((term[c] as number) / largest) ** 2
  return largest * Math.sqrt(sum)
}

/** Adds up `|term|` (the length of a vector) beside another fold, as the scale for errors. */
export class WithMagnitude implements Fold {
  readonly magnitude: Float64Array
  constructor(
    readonly fold: Fold,
    rows: number,
  ) {
    this.magnitude = new Float64Array(rows)
  }
  add(row: number, j: number, term: Float64Array): void {
    this.fold.add(row, j, term)
    raise(this.magnitude, row, lengthOf(term))
  }
  results(): ArrayResults {
    return this.fold.results()
  }
}
