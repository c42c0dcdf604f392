/**
 * The numbers of tables and the sums over components of vectors for the ends of bonds. Which points a bond joins is known beforehand, so the host finds them in float64, and
 * each is one more number of an end.
 *
 * @module
 */
import type { FloatArray } from '../../ground/checks.ts'
import { parseAttribute } from '../../ground/names.ts'
import { vectorsIn } from '../../language/fold-names.ts'
import { joinedTables, tableParameters } from '../../problem/workloads/tables/layout.ts'
import { pairNumber } from '../../problem/workloads/tables/pair-numbers.ts'
import type { Lengths } from '../../problem/workloads/vector-sets.ts'
import type { NumbersByName } from '../numbers/numbers.ts'
import type { Bonds } from './bonds.ts'
import { type Ends, otherOf } from './ends.ts'
import { lookupsOfEnds } from './link-calls.ts'

/**
 * An array for each of these numbers of the law, in the order of `lookupsOfEnds`.
 *
 * @param arrays the arrays of the points, with the kinds and the vectors that the law reads
 * @param numbers the parameters of the law, and the lengths of vectors
 */
export function endTables(
  { law }: Pick<Bonds, 'law'>,
  ends: Pick<Ends, 'own' | 'place' | 'members'>,
  arrays: Readonly<Record<string, FloatArray>>,
  {
    parameters: own = {},
    lengths,
  }: { readonly parameters?: NumbersByName; readonly lengths?: Lengths | undefined } = {},
): readonly Float64Array[] {
  const { tables = {} } = law
  const parameters = { ...own, ...tableParameters(tables) }
  const data = { targets: arrays, sources: arrays, parameters, tables: joinedTables(tables), lengths }
  const other = otherOf(ends)
  // A derivative may read fewer vectors than its law.
  const has = (name: string) =>
    (vectorsIn(name) ?? []).every((vector) => (parseAttribute(vector)?.attribute ?? '') in arrays)
  return lookupsOfEnds(law).map((name) => {
    const number = has(name) ? pairNumber(name, law, data) : undefined
    return ends.own.map((point, end) => number?.(point, other[end] as number, 0) ?? 0)
  })
}
