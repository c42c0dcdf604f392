/**
 * The numbers of a sum over pairs: those of its forces, by the names that its law has for them.
 *
 * @module
 */
import type { Tables } from '../../ground/table.ts'
import type { NewNames } from '../../problem/interactions/composed/sum-of.ts'
import { type NumbersByName, ownerOf, type SimulationNumbers } from './numbers.ts'

/** A law of a force, and the names of its numbers in a sum of laws. */
export interface Summand {
  /** Its place among the laws of pairs, or among the lists of bonds. */
  readonly place: number
  readonly names?: NewNames
}

export function numbersOfPair(
  { summands }: { readonly summands: readonly Summand[] },
  { parameters, tables }: SimulationNumbers,
): { readonly parameters: NumbersByName; readonly tables: Tables | undefined } {
  const ownOf = ({ place }: Summand) => parameters[ownerOf('Pair', place)] as NumbersByName
  const [only, ...others] = summands
  if (only && others.length === 0) return { parameters: ownOf(only), tables: tables[ownerOf('Pair', only.place)] }
  const all = summands.flatMap((one) =>
    Object.entries(ownOf(one)).map(([name, value]) => [one.names?.get(name) ?? name, value]),
  )
  // Laws with tables stay by themselves.
  return { parameters: Object.fromEntries(all), tables: undefined }
}
