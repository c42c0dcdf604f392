/**
 * The term of a pair of points in float64, from its expressions and the arrays that they read.
 *
 * @module
 */

import type { FloatArray } from '../../ground/checks.ts'
import { parseAttribute } from '../../ground/names.ts'
import { type Evaluator, evaluator } from '../../language/evaluate.ts'
import { vectorsIn } from '../../language/fold-names.ts'
import { parseLookup } from '../../language/lookups.ts'
import { symbolsOf } from '../../language/nodes.ts'
import type { Interaction } from '../../problem/interactions/interaction.ts'
import { expressionsIn } from '../../problem/typed-at-once.ts'
import type { Guard } from '../../problem/workloads/bodies/guard.ts'
import type { PairData } from '../../problem/workloads/numbers/pair-data.ts'
import type { Term } from '../../problem/workloads/quantity.ts'
import { type PairNumber, pairNumber } from '../../problem/workloads/tables/pair-numbers.ts'

/** The term of a pair, component by component. */
export class PairTerm {
  readonly #values: Float64Array
  readonly #components: readonly Evaluator[]
  readonly #radial: boolean
  readonly #dimension: number
  readonly #targetAttributes: readonly (readonly [slot: number, array: FloatArray])[]
  readonly #sourceAttributes: readonly (readonly [slot: number, array: FloatArray])[]
  readonly #lookups: readonly (readonly [slot: number, number: PairNumber])[]
  readonly #term: Float64Array
  readonly #guard: Guard
  #target = 0

  constructor(term: Term, law: Interaction, dimension: number, data: PairData, guard: Guard) {
    const expressions = expressionsIn(term)
    const names = [...new Set(expressions.flatMap((e) => [...symbolsOf(e)]))]
    const attributes = names.filter((name) => parseAttribute(name))
    const lookups = names.filter((name) => parseLookup(name) ?? vectorsIn(name))
    const slots = ['dx', 'dy', 'dz', 'r2', ...attributes, ...lookups, ...Object.keys(data.parameters)]
    this.#values = Float64Array.from(slots, (name) => data.parameters[name] ?? 0)
    this.#components = expressions.map((e) => evaluator(e, slots))
    this.#guard = guard
    this.#radial = term.form === 'radial'
    this.#dimension = dimension
    const side = (wanted: 'i' | 'j', arrays: Readonly<Record<string, FloatArray>>) =>
      attributes.flatMap((name) => {
        const found = parseAttribute(name)
        return found?.side === wanted ? [[slots.indexOf(name), arrays[found.attribute] as FloatArray] as const] : []
      })
    this.#targetAttributes = side('i', data.targets)
    this.#sourceAttributes = side('j', data.sources)
    this.#lookups = lookups.flatMap((name) => {
      const number = pairNumber(name, law, data)
      return number ? [[slots.indexOf(name), number] as const] : []
    })
    this.#term = new Float64Array(this.#radial ? dimension : expressions.length)
  }

  target(i: number): void {
    this.#target = i
    for (const [slot, array] of this.#targetAttributes) this.#values[slot] = array[i] as number
  }

  /** Undefined for coincident points that do not count. */
  term(j: number, d: Float64Array, r2: number): Float64Array | undefined {
    const together = r2 === 0 && this.#guard
    if (together === true) return undefined
    const values = this.#values
    for (let axis = 0; axis < 3; axis++) values[axis] = d[axis] as number
    values[3] = r2
    for (const [slot, array] of this.#sourceAttributes) values[slot] = array[j] as number
    for (const [slot, number] of this.#lookups) values[slot] = number(this.#target, j, r2)
    if (this.#radial) {
      const coefficient = this.#components[0]?.(values) as number
      for (let axis = 0; axis < this.#dimension; axis++) this.#term[axis] = coefficient * (d[axis] as number)
    } else {
      for (let c = 0; c < this.#term.length; c++) this.#term[c] = this.#components[c]?.(values) as number
    }
    return together && !this.#term.every(Number.isFinite) ? undefined : this.#term
  }
}
