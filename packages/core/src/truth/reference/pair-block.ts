/**
 * The terms of pairs of points in float64, from their expressions and the arrays that these read. Pairs of one target are collected in a
 * block, and computed together when it is full.
 *
 * @module
 */

import type { FloatArray } from '../../ground/checks.ts'
import { parseAttribute } from '../../ground/names.ts'
import { type Columns, columnsOf } from '../../language/columns.ts'
import type { Expr } from '../../language/nodes.ts'
import type { Interaction } from '../../problem/interactions/interaction.ts'
import { expressionsIn } from '../../problem/typed-at-once.ts'
import type { Guard } from '../../problem/workloads/bodies/guard.ts'
import type { PairData } from '../../problem/workloads/numbers/pair-data.ts'
import type { Term } from '../../problem/workloads/quantity.ts'
import { type PairNumber, pairNumber } from '../../problem/workloads/tables/pair-numbers.ts'

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
  readonly #columns: Columns
  readonly #sources: Int32Array
  readonly #dx: Float64Array
  readonly #dy: Float64Array
  readonly #dz: Float64Array
  readonly #r2: Float64Array
  readonly #terms: readonly Float64Array[]
  readonly #targetAttributes: readonly (readonly [column: Float64Array, array: FloatArray])[]
  readonly #numbers: readonly (readonly [column: Float64Array, number: PairNumber])[]
  readonly #rules: PairRules
  readonly #reach: Float64Array | undefined
  readonly #radial: boolean
  readonly #term: Float64Array
  readonly #displacement = new Float64Array(3)
  #target = 0
  #count = 0

  constructor(term: Term, law: Interaction, dimension: number, data: PairData, rules: PairRules) {
    const expressions = expressionsIn(term)
    const length = Math.max(1, Math.min(mostPairs, Object.values(data.sources)[0]?.length ?? mostPairs))
    const columns = columnsOf(rules.reach ? [...expressions, rules.reach] : expressions, length)
    const named = (name: string) => columns.given.get(name) ?? new Float64Array(length)
    this.#columns = columns
    this.#rules = rules
    this.#sources = new Int32Array(length)
    this.#dx = named('dx')
    this.#dy = named('dy')
    this.#dz = named('dz')
    this.#r2 = named('r2')
    this.#terms = columns.results.slice(0, expressions.length)
    this.#reach = rules.reach && columns.results[expressions.length]
    this.#radial = term.form === 'radial'
    this.#term = new Float64Array(this.#radial ? dimension : expressions.length)
    const others = [...columns.given].filter(([name]) => !['dx', 'dy', 'dz', 'r2'].includes(name))
    this.#targetAttributes = others.flatMap(([name, column]) => {
      const found = parseAttribute(name)
      return found?.side === 'i' ? [[column, data.targets[found.attribute] as FloatArray] as const] : []
    })
    this.#numbers = others.flatMap(([name, column]) => {
      if (parseAttribute(name)?.side === 'i') return []
      const number = pairNumber(name, law, data)
      if (number) return [[column, number] as const]
      const value = data.parameters[name]
      if (value === undefined) throw new Error(`expected a value for "${name}"`)
      column.fill(value)
      return []
    })
  }

  /** Begins with the pairs of a target. */
  target(i: number): void {
    this.#target = i
    for (const [column, array] of this.#targetAttributes) column.fill(array[i] as number)
  }

  /** Takes a pair. Returns whether the block is full. */
  take(j: number, dx: number, dy: number, dz: number, r2: number): boolean {
    const at = this.#count++
    this.#sources[at] = j
    this.#dx[at] = dx
    this.#dy[at] = dy
    this.#dz[at] = dz
    this.#r2[at] = r2
    return this.#count === this.#sources.length
  }

  /** Folds the terms of the pairs that were taken, and lets go of them. */
  fold(row: number, visitor: Visitor): void {
    const [count, target, sources, r2] = [this.#count, this.#target, this.#sources, this.#r2]
    this.#count = 0
    for (const [column, number] of this.#numbers)
      for (let n = 0; n < count; n++) column[n] = number(target, sources[n] as number, r2[n] as number)
    this.#columns.compute(count)
    const [dx, dy, dz, d, term, terms] = [this.#dx, this.#dy, this.#dz, this.#displacement, this.#term, this.#terms]
    const coefficients = this.#radial ? (terms[0] as Float64Array) : undefined
    const width = term.length
    for (let n = 0; n < count; n++) {
      d[0] = dx[n] as number
      d[1] = dy[n] as number
      d[2] = dz[n] as number
      if (coefficients)
        for (let axis = 0; axis < width; axis++) term[axis] = (coefficients[n] as number) * (d[axis] as number)
      else for (let c = 0; c < width; c++) term[c] = (terms[c] as Float64Array)[n] as number
      if (this.#counts(n)) visitor.add(row, sources[n] as number, term, d)
    }
  }

  #counts(n: number): boolean {
    const { guard, limit } = this.#rules
    const r2 = this.#r2[n] as number
    if (r2 === 0 && guard && (guard === true || !this.#term.every(Number.isFinite))) return false
    if (this.#reach) {
      const reach = this.#reach[n] as number
      if (!(r2 <= reach * Math.abs(reach))) return false
    }
    // NaN is no term within a limit.
    return limit === undefined || (this.#term[0] as number) <= limit
  }
}
