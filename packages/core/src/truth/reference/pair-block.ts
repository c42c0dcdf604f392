/**
 * The terms of pairs of points in float64, from their expressions and the arrays that these read. Pairs of one target are collected in a
 * block, and computed together when it is full.
 *
 * @module
 */

import type { Expr } from '../../language/nodes.ts'
import type { Interaction } from '../../problem/interactions/interaction.ts'
import { expressionsIn } from '../../problem/typed-at-once.ts'
import type { Guard } from '../../problem/workloads/bodies/guard.ts'
import type { PairData } from '../../problem/workloads/numbers/pair-data.ts'
import type { Term } from '../../problem/workloads/quantity.ts'
import { type DistanceName, PairColumns } from './pair-columns.ts'

/** Gets the term of source `j` for the target in `row`, as a fold does. Both arrays are overwritten by the next pair. */
export interface Visitor {
  add(row: number, j: number, term: Float64Array, displacement: Float64Array): void
}

/** The pairs of a block: enough that an operation on a column costs little more than its numbers, and few enough for the first cache. */
const mostPairs = 128

/** Reasons for which a pair does not count, besides its distance. */
export interface PairRules {
  /** For coincident points. */
  readonly guard: Guard
  /** A pair that is farther apart does not count. Negative for pairs that are never near enough. */
  readonly reach?: Expr | undefined
  /** A pair with a larger term does not count. */
  readonly limit?: number | undefined
}

/** The pairs of a target, in order, with their terms component by component. */
export class PairBlock {
  readonly #sources: Int32Array
  readonly #dx: Float64Array
  readonly #dy: Float64Array
  readonly #dz: Float64Array
  readonly #r2: Float64Array
  readonly #terms: PairColumns
  readonly #reach: PairColumns | undefined
  readonly #rules: PairRules
  readonly #radial: boolean
  readonly #term: Float64Array
  readonly #displacement = new Float64Array(3)
  #target = 0
  #count = 0

  constructor(term: Term, law: Interaction, dimension: number, data: PairData, rules: PairRules) {
    const expressions = expressionsIn(term)
    const length = Math.max(1, Math.min(mostPairs, Object.values(data.sources)[0]?.length ?? mostPairs))
    this.#terms = new PairColumns(expressions, length, law, data)
    this.#reach = rules.reach && new PairColumns([rules.reach], length, law, data)
    const named = (name: DistanceName) => this.#terms.given(name) ?? new Float64Array(length)
    this.#rules = rules
    this.#sources = new Int32Array(length)
    this.#dx = named('dx')
    this.#dy = named('dy')
    this.#dz = named('dz')
    this.#r2 = named('r2')
    this.#radial = term.form === 'radial'
    this.#term = new Float64Array(this.#radial ? dimension : expressions.length)
  }

  /** Begins with the pairs of a target. */
  target(i: number): void {
    this.#target = i
    this.#terms.target(i)
    this.#reach?.target(i)
  }

  /** Takes a pair. Returns whether the block is full. */
  take(j: number, dx: number, dy: number, dz: number, r2: number): boolean {
    this.#put(this.#count++, j, dx, dy, dz, r2)
    return this.#count === this.#sources.length
  }

  /** Folds the terms of the pairs that were taken, and lets go of them. */
  fold(row: number, visitor: Visitor): void {
    const count = this.#reach ? this.#keepNear(this.#reach) : this.#count
    this.#count = 0
    const [sources, dx, dy, dz, d, term] = [this.#sources, this.#dx, this.#dy, this.#dz, this.#displacement, this.#term]
    const terms = this.#terms.compute(count, this.#target, sources, this.#r2)
    const coefficients = this.#radial ? (terms[0] as Float64Array) : undefined
    const width = term.length
    for (let n = 0; n < count; n++) {
      d[0] = dx[n] as number
      d[1] = dy[n] as number
      d[2] = dz[n] as number
      if (coefficients)
        for (let axis = 0; axis < width; axis++) term[axis] = (coefficients[n] as number) * (d[axis] as number)
      else for (let c = 0; c < width; c++) term[c] = (terms[c] as Float64Array)[n] as number
      if (this.#counts(this.#r2[n] as number)) visitor.add(row, sources[n] as number, term, d)
    }
  }

  /** Keeps the pairs within their own reach, because the terms of others may take long. Returns their number. */
  #keepNear(columns: PairColumns): number {
    const [count, sources, dx, dy, dz, r2] = [this.#count, this.#sources, this.#dx, this.#dy, this.#dz, this.#r2]
    const [reaches] = columns.compute(count, this.#target, sources, r2) as [Float64Array]
    let near = 0
    for (let n = 0; n < count; n++) {
      const reach = reaches[n] as number
      if (!((r2[n] as number) <= reach * Math.abs(reach))) continue
      const [j, x, y, z, squared] = [sources[n], dx[n], dy[n], dz[n], r2[n]] as [number, number, number, number, number]
      this.#put(near++, j, x, y, z, squared)
    }
    return near
  }

  #put(at: number, j: number, dx: number, dy: number, dz: number, r2: number): void {
    this.#sources[at] = j
    this.#dx[at] = dx
    this.#dy[at] = dy
    this.#dz[at] = dz
    this.#r2[at] = r2
  }

  #counts(r2: number): boolean {
    const { guard, limit } = this.#rules
    if (r2 === 0 && guard && (guard === true || !this.#term.every(Number.isFinite))) return false
    // NaN is no term within a limit.
    return limit === undefined || (this.#term[0] as number) <= limit
  }
}
