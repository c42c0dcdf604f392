/**
 * The parameters of a run that are vectors. Their numbers travel with those of tables, so that other ones need no compiling.
 *
 * @module
 */
import { hasNames } from '../../ground/checks.ts'
import { checkedVector } from '../../ground/lists.ts'
import { record } from '../../ground/names.ts'
import type { Tables } from '../../ground/table.ts'
import { vectorTable } from '../../language/lookups.ts'
import type { Interaction, ParameterInput } from '../interactions/interaction.ts'

export type Vectors = NonNullable<Interaction['vectors']>

/** Parameters as a caller gives them. */
export type GivenParameters = Readonly<Record<string, ParameterInput>>

/** The parameters of a run, divided into numbers, which are checked later, and vectors. @throws TypeError, RangeError */
export function parametersApart(
  { vectors = {} }: Pick<Interaction, 'vectors'>,
  given: GivenParameters | undefined,
): { readonly numbers: Readonly<Record<string, number>> | undefined; readonly vectors: Vectors } {
  const all = hasNames(given) ? Object.entries(given) : []
  const own = all.filter(([name]) => Object.hasOwn(vectors, name))
  // Whatever is no vector must be a number, and is checked as one.
  const others = given as Readonly<Record<string, number>> | undefined
  if (own.length === 0) return { numbers: others, vectors: {} }
  return {
    numbers: record(all.filter(([name]) => !Object.hasOwn(vectors, name)) as [string, number][]),
    vectors: record(own.map(([name, value]) => [name, checkedVector(value, name)])),
  }
}

/** The tables that hold vectors. */
export const vectorTables = (vectors: Vectors): Tables =>
  record(Object.entries(vectors).map(([name, numbers]) => [vectorTable(name), numbers]))
