/**
 * How the terms of one target become its result: one small fold for each reduction.
 *
 * A fold owns its result arrays, may go on from earlier results of other source ranges, and sees terms in source order.
 *
 * @module
 */
import type { ArrayResults, PairWorkload, Reduction } from '../workloads/workload.ts'

export interface Fold {
  /** Takes in the term of source `j` for the target in `row`. */
  add(row: number, j: number, term: Float64Array): void
  /** The results of all rows; called once, last. */
  results(): ArrayResults
}

/** What a fold is made for. */
export interface FoldShape {
  readonly rows: number
  readonly components: number
  readonly sources: number
}

type FoldMaker = (shape: FoldShape, initial: ArrayResults, workload: PairWorkload) => Fold

const folds: { readonly [R in Reduction]: FoldMaker } = {
  sum: (shape, initial, { results }) => new Sum(results[0] ?? 'value', shape, initial),
  count: (shape, initial) => new Count(shape, initial),
  min: (shape, initial) => new Extreme(1, false, shape, initial),
  max: (shape, initial) => new Extreme(-1, false, shape, initial),
  argmin: (shape, initial) => new Extreme(1, true, shape, initial),
  argmax: (shape, initial) => new Extreme(-1, true, shape, initial),
  logsumexp: (shape, initial) => new LogSumExp(shape, initial),
  smallest: (shape, initial, { k = 1 }) => new Smallest(shape, k, initial),
  none: (shape, initial) => new Matrix(shape, initial),
}

/** The fold of a workload, starting from nothing or from the results of earlier ranges. */
export function foldOf(workload: PairWorkload, shape: FoldShape, initial: ArrayResults = {}): Fold {
  return folds[workload.reduction](shape, initial, workload)
}

const numbers = (length: number, from: ArrayResults, name: string, fill = 0): Float64Array =>
  from[name] ? Float64Array.from(from[name]) : new Float64Array(length).fill(fill)

class Sum implements Fold {
  readonly #value: Float64Array
  constructor(
    readonly name: string,
    readonly shape: FoldShape,
    initial: ArrayResults,
  ) {
    this.#value = numbers(shape.rows * shape.components, initial, name)
  }
  add(row: number, _j: number, term: Float64Array): void {
    const start = row * this.shape.components
    for (let c = 0; c < term.length; c++)
      this.#value[start + c] = (this.#value[start + c] as number) + (term[c] as number)
  }
  results(): ArrayResults {
    return { [this.name]: this.#value }
  }
}

class Count implements Fold {
  readonly #count: Uint32Array
  constructor(shape: FoldShape, initial: ArrayResults) {
    this.#count = initial.count ? Uint32Array.from(initial.count) : new Uint32Array(shape.rows)
  }
  add(row: number): void {
    this.#count[row] = (this.#count[row] as number) + 1
  }
  results(): ArrayResults {
    return { count: this.#count }
  }
}

/** `log sum exp(term)`, relative to the largest term so far, so that nothing overflows. A NaN makes it NaN, as in any sum. */
class LogSumExp implements Fold {
  readonly #largest: Float64Array
  readonly #sum: Float64Array
  constructor(shape: FoldShape, initial: ArrayResults) {
    this.#largest = numbers(shape.rows, initial, 'value', Number.NEGATIVE_INFINITY)
    this.#sum = this.#largest.map((value) => (value === Number.NEGATIVE_INFINITY ? 0 : 1))
  }
  add(row: number, _j: number, [term = 0]: Float64Array): void {
    const largest = this.#largest[row] as number
    const sum = this.#sum[row] as number
    if (term > largest) {
      this.#sum[row] = sum * Math.exp(largest - term) + 1
      this.#largest[row] = term
    } else if (term !== Number.NEGATIVE_INFINITY) {
      // Of equal infinities there is no difference.
      this.#sum[row] = sum + (term === largest ? 1 : Math.exp(term - largest))
    }
  }
  results(): ArrayResults {
    return {
      value: this.#largest.map((largest, row) => largest + Math.log(this.#sum[row] as number)),
    }
  }
}

/** The least or greatest term, and the first source that has it; a NaN is neither. */
class Extreme implements Fold {
  readonly #value: Float64Array
  readonly #index: Int32Array
  constructor(
    readonly sign: 1 | -1,
    readonly withIndex: boolean,
    shape: FoldShape,
    initial: ArrayResults,
  ) {
    this.#value = numbers(shape.rows, initial, 'value', sign * Number.POSITIVE_INFINITY)
    this.#index = initial.index ? Int32Array.from(initial.index) : new Int32Array(shape.rows).fill(-1)
  }
  add(row: number, j: number, [term = 0]: Float64Array): void {
    if (!(this.sign * term < this.sign * (this.#value[row] as number))) return
    this.#value[row] = term
    this.#index[row] = j
  }
  results(): ArrayResults {
    return this.withIndex ? { index: this.#index, value: this.#value } : { value: this.#value }
  }
}

/**
 * The `k` least distances and their sources, ascending; equal ones in source order. Distances are compared, not their
 * squares, as earlier results hold distances: squaring a root does not give back the number that it came from.
 */
class Smallest implements Fold {
  readonly #distance: Float64Array
  readonly #index: Int32Array
  constructor(
    shape: FoldShape,
    readonly k: number,
    initial: ArrayResults,
  ) {
    const length = shape.rows * k
    this.#distance = numbers(length, initial, 'distance', Number.POSITIVE_INFINITY)
    this.#index = initial.index ? Int32Array.from(initial.index) : new Int32Array(length).fill(-1)
  }
  add(row: number, j: number, [term = 0]: Float64Array): void {
    const distance = Math.sqrt(term)
    const first = row * this.k
    let at = first + this.k
    while (at > first && distance < (this.#distance[at - 1] as number)) at--
    if (at === first + this.k) return
    this.#distance.copyWithin(at + 1, at, first + this.k - 1)
    this.#index.copyWithin(at + 1, at, first + this.k - 1)
    this.#distance[at] = distance
    this.#index[at] = j
  }
  results(): ArrayResults {
    return { index: this.#index, distance: this.#distance }
  }
}

class Matrix implements Fold {
  readonly #value: Float64Array
  constructor(
    readonly shape: FoldShape,
    initial: ArrayResults,
  ) {
    this.#value = numbers(shape.rows * shape.sources, initial, 'value')
  }
  add(row: number, j: number, [term = 0]: Float64Array): void {
    this.#value[row * this.shape.sources + j] = term
  }
  results(): ArrayResults {
    return { value: this.#value }
  }
}

/** Adds up `|term|` (of a vector: its length) beside another fold: what errors are measured against. */
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
    this.magnitude[row] = (this.magnitude[row] as number) + Math.hypot(...term)
  }
  results(): ArrayResults {
    return this.fold.results()
  }
}
