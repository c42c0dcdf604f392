/**
 * Folds the terms of one target into its result: one small fold for each reduction.
 *
 * A fold owns its result arrays, may continue earlier results of other source ranges, and gets terms in source order. The
 * rules in `reductions/` define the results and their first values.
 *
 * @module
 */
import { ruleOf } from '../reductions/table.ts'
import { resultArrays } from '../workloads/bodies/result-arrays.ts'
import type { ArrayResults, PairWorkload, Reduction, Shape } from '../workloads/workload.ts'

export interface Fold {
  /** Adds the term of source `j` to the target in `row`. */
  add(row: number, j: number, term: Float64Array): void
  /** The results of all rows. Called once, at the end. */
  results(): ArrayResults
}

/** Adds terms like {@link Fold.add}, into arrays that hold earlier results. `finish` turns the state into results if they differ. */
interface Folding {
  readonly add: Fold['add']
  readonly finish?: () => void
}

type Numbers = ArrayResults[string]

/** Each gets the result arrays in order, and how many numbers they hold per target. */
const folds: { readonly [R in Reduction]: (width: number, first: Numbers, second: Numbers) => Folding } = {
  sum: (width, value) => ({
    add(row, _, term) {
      for (let c = 0; c < width; c++) raise(value, row * width + c, term[c] as number)
    },
  }),
  count: (_, count) => ({ add: (row) => raise(count, row, 1) }),
  min: (_, value) => extreme(1, value),
  max: (_, value) => extreme(-1, value),
  argmin: (_, index, value) => extreme(1, value, index),
  argmax: (_, index, value) => extreme(-1, value, index),
  logsumexp: (_, value) => logSumExp(value),
  smallest,
  none: (width, value) => ({
    add(row, j, [term = 0]) {
      value[row * width + j] = term
    },
  }),
}

/** The fold for a number of targets (`rows`), which may continue the results of earlier ranges. */
export function foldOf(workload: PairWorkload, shape: Shape, rows: number, initial: ArrayResults = {}): Fold {
  const empty = Object.values(ruleOf(workload).results)
  const arrays = [...resultArrays(workload, { ...shape, targets: rows }, 'f64')].map(
    ([name, { Type, length }], n): [string, Numbers] => {
      const earlier = initial[name]
      return [name, earlier ? Type.from(earlier) : new Type(length).fill(empty[n] as number)]
    },
  )
  const [first, second = first] = arrays.map(([, numbers]) => numbers) as [Numbers, Numbers?]
  const { add, finish } = folds[workload.reduction](first.length / rows, first, second)
  return {
    add,
    results() {
      finish?.()
      return Object.fromEntries(arrays)
    },
  }
}

function raise(numbers: Numbers, at: number, by: number): void {
  numbers[at] = (numbers[at] as number) + by
}

/** `log sum exp(term)`, relative to the largest term so far, so that nothing overflows. A NaN makes it NaN, as in any sum. */
function logSumExp(value: Numbers): Folding {
  const sums = Float64Array.from(value, (earlier) => (earlier === Number.NEGATIVE_INFINITY ? 0 : 1))
  return {
    add(row, _, [term = 0]) {
      const largest = value[row] as number
      const sum = sums[row] as number
      if (term > largest) {
        sums[row] = sum * Math.exp(largest - term) + 1
        value[row] = term
      } else if (term !== Number.NEGATIVE_INFINITY) {
        // The difference of equal infinities would be NaN.
        sums[row] = sum + (term === largest ? 1 : Math.exp(term - largest))
      }
    },
    finish() {
      for (const [row, sum] of sums.entries()) raise(value, row, Math.log(sum))
    },
  }
}

/** The least (sign 1) or greatest term, and the first source that has it; a NaN is neither. */
function extreme(sign: 1 | -1, value: Numbers, index?: Numbers): Folding {
  return {
    add(row, j, [term = 0]) {
      if (!(sign * term < sign * (value[row] as number))) return
      value[row] = term
      if (index) index[row] = j
    },
  }
}

/**
 * The `k` least distances and their sources, ascending; equal ones in source order. It compares distances, not squares,
 * because earlier results hold distances, and squaring a rounded root does not restore the number.
 */
function smallest(k: number, index: Numbers, distance: Numbers): Folding {
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
}

/** Without overflow, as `Math.hypot`, which costs as much as all the rest of a pair. */
function lengthOf(term: Float64Array): number {
  let largest = 0
  for (const value of term) largest = Math.max(largest, Math.abs(value))
  if (term.length === 1 || !(largest > 0 && largest < Number.POSITIVE_INFINITY)) return largest
  let sum = 0
  for (const value of term) sum += (value / largest) ** 2
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
