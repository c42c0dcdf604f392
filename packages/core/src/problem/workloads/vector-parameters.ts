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

/** Parameters where all must be numbers. Whoever reads them checks that. */
export const asNumbers = (given: GivenParameters | undefined): Readonly<Record<string, number>> | undefined =>
  given as Readonly<Record<string, number>> | undefined

/** The parameters of a run, divided into numbers, which are checked later, and vectors. @throws TypeError, RangeError */
export function parametersApart(
  { vectors }: Pick<Interaction, 'vectors'>,
  given: GivenParameters | undefined,
): { readonly numbers: Readonly<Record<string, number>> | undefined; readonly vectors: Vectors } {
  if (!vectors || !hasNames(given)) return { numbers: asNumbers(given), vectors: {} }
  const isNumber = ([name]: readonly [string, unknown]) => !Object.hasOwn(vectors, name)
  const all = Object.entries(given)
  return {
    numbers: asNumbers(record(all.filter(isNumber))),
    vectors: record(all.flatMap((one) => (isNumber(one) ? [] : [[one[0], checkedVector(one[1], one[0])]]))),
  }
}

/** The tables that hold vectors. */
export const vectorTables = (vectors: Vectors): Tables =>
  record(Object.entries(vectors).map(([name, numbers]) => [vectorTable(name), numbers]))

/** The vectors with the numbers that tables hold now. */
export const vectorsWithin = (tables: Tables, vectors: Vectors): Vectors =>
  record(Object.keys(vectors).map((name) => [name, tables[vectorTable(name)] as readonly number[]]))
