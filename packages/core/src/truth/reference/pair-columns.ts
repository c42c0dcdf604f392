/**
 * Expressions over pairs of one target in float64: a column for each of them, and for each number that they read.
 *
 * @module
 */

import type { FloatArray } from '../../ground/checks.ts'
import { parseAttribute } from '../../ground/names.ts'
import { type Columns, columnsOf } from '../../language/columns.ts'
import type { Expr } from '../../language/nodes.ts'
import type { Interaction } from '../../problem/interactions/interaction.ts'
import type { PairData } from '../../problem/workloads/numbers/pair-data.ts'
import { type PairNumber, pairNumber } from '../../problem/workloads/tables/pair-numbers.ts'

const distanceNames = ['dx', 'dy', 'dz', 'r2'] as const
export type DistanceName = (typeof distanceNames)[number]

/** Whoever takes pairs writes the columns of their distances. */
export class PairColumns {
  readonly #columns: Columns
  readonly #targetAttributes: readonly (readonly [column: Float64Array, array: FloatArray])[]
  readonly #numbers: readonly (readonly [column: Float64Array, number: PairNumber])[]

  constructor(expressions: readonly Expr[], length: number, law: Interaction, data: PairData) {
    this.#columns = columnsOf(expressions, length)
    const others = [...this.#columns.given].filter(([name]) => !distanceNames.some((distance) => distance === name))
    this.#targetAttributes = others.flatMap(([name, column]) => {
      const found = parseAttribute(name)
      return found?.side === 'i' ? [[column, data.targets[found.attribute] as FloatArray] as const] : []
    })
    this.#numbers = others.flatMap(([name, column]) => {
      if (parseAttribute(name)?.side === 'i') return []
      const number = pairNumber(name, law, data)
      if (number) return [[column, number] as const]
      const value = data.parameters[name]
      if (value === undefined)
        throw new Error(`expected a value for "${name}", got ${Object.keys(data.parameters).join(', ') || 'none'}`)
      column.fill(value)
      return []
    })
  }

  given(name: DistanceName): Float64Array | undefined {
    return this.#columns.given.get(name)
  }

  target(i: number): void {
    for (const [column, array] of this.#targetAttributes) column.fill(array[i] as number)
  }

  /** The results for the first pairs. */
  compute(count: number, target: number, sources: Int32Array, r2: Float64Array): readonly Float64Array[] {
    for (const [column, number] of this.#numbers)
      for (let n = 0; n < count; n++) column[n] = number(target, sources[n] as number, r2[n] as number)
    this.#columns.compute(count)
    return this.#columns.results
  }
}
