/**
 * The numbers of tables for the ends of bonds. Which points a bond joins is known beforehand, so the host looks them up, and each is
 * one more number of an end.
 *
 * @module
 */
import type { FloatArray } from '../../ground/checks.ts'
import { joinedTables, tableParameters } from '../../problem/workloads/tables/layout.ts'
import { lookupOf } from '../../problem/workloads/tables/pair-numbers.ts'
import type { Bonds } from './bonds.ts'
import { type Ends, otherOf } from './ends.ts'
import { lookupsOfEnds } from './link-calls.ts'

/**
 * An array for each look-up of the law, in the order of `lookupsOfEnds`.
 *
 * @param arrays the arrays of the points, with the kinds that the law reads
 */
export function endTables(
  { law }: Pick<Bonds, 'law'>,
  ends: Pick<Ends, 'own' | 'place' | 'members'>,
  arrays: Readonly<Record<string, FloatArray>>,
): readonly Float64Array[] {
  const { tables } = law
  if (!tables) return []
  const parameters = tableParameters(tables)
  const data = { targets: arrays, sources: arrays, parameters, tables: joinedTables(tables) }
  const other = otherOf(ends)
  return lookupsOfEnds(law).map((name) => {
    const number = lookupOf(name, law, data)
    return ends.own.map((point, end) => number?.(point, other[end] as number, 0) ?? 0)
  })
}
