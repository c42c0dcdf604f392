/**
 * The numbers of a pair of points by their names in expressions, in float64, for the reference and error analysis.
 *
 * @module
 */
import type { FloatArray } from '../../../ground/checks.ts'
import { parseAttribute } from '../../../ground/names.ts'
import { parseLookup } from '../../../language/lookups.ts'
import type { Interaction } from '../../interactions/interaction.ts'
import type { PairData } from '../numbers/pair-data.ts'
import { blockNames, blocksOf } from './layout.ts'

/** The number for target i and source j. */
export type PairNumber = (i: number, j: number) => number

/** An attribute, or a number of a table; undefined for any other name. */
export function pairNumber(name: string, law: Pick<Interaction, 'tables'>, data: PairData): PairNumber | undefined {
  return attributeOf(name, data) ?? lookupOf(name, law, data)
}

function attributeOf(name: string, { targets, sources }: PairData): PairNumber | undefined {
  const { attribute = '', side } = parseAttribute(name) ?? {}
  if (side === undefined) return undefined
  const array = (side === 'i' ? targets : sources)[attribute] as FloatArray
  return side === 'i' ? (i) => array[i] as number : (_, j) => array[j] as number
}

/** The number of a table for the kinds of both points. */
export function lookupOf(
  name: string,
  { tables = {} }: Pick<Interaction, 'tables'>,
  data: PairData,
): PairNumber | undefined {
  const { table = '', indices = [] } = parseLookup(name) ?? {}
  const n = blocksOf(tables).findIndex(({ names }) => names.includes(table))
  const { names = [] } = blocksOf(tables)[n] ?? {}
  const [row, column = () => 0] = indices.flatMap((index) => attributeOf(index, data) ?? [])
  const numbers = data.tables
  if (!row || !numbers) return undefined
  const own = blockNames(n)
  const [start, stride] = [data.parameters[own.start] as number, data.parameters[own.columnStride] as number]
  const first = start + names.indexOf(table)
  return (i, j) => numbers[first + names.length * row(i, j) + stride * column(i, j)] as number
}
