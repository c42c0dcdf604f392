/**
 * The numbers of a pair of points by their names in expressions, in float64, for the reference and error analysis.
 *
 * @module
 */
import type { FloatArray } from '../../../ground/checks.ts'
import { parseAttribute } from '../../../ground/names.ts'
import { functionOf, isOfStep, parseLookup, wholeNumber, type wholeParts } from '../../../language/lookups.ts'
import type { Interaction } from '../../interactions/interaction.ts'
import type { PairData } from '../numbers/pair-data.ts'
import { blockNames, blocksOf } from './layout.ts'

/** The number for target i and source j, at a squared distance in the unit of length of the run. */
export type PairNumber = (i: number, j: number, r2: number) => number

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
  if (n < 0 || !numbers) return undefined
  const own = blockNames(n)
  const [start, stride] = [data.parameters[own.start] as number, data.parameters[own.columnStride] as number]
  const first = start + names.indexOf(table)
  const of = functionOf(table)
  if (of !== undefined && isOfStep(name)) {
    const [from, scale, last, before] = (['from', 'scale', 'last', 'first'] as const).map((part) =>
      wholeOf(of, part, indices, tables, data),
    )
    const unit = data.parameters.lengthUnit ?? 1
    return (i, j, r2) => {
      const of = (number: PairNumber | undefined) => number?.(i, j, r2) ?? 0
      const step = Math.floor(Math.min(Math.max((unit * Math.sqrt(r2) - of(from)) * of(scale), 0), of(last)))
      return numbers[first + names.length * (of(before) + step)] as number
    }
  }
  if (!row) return undefined
  return (i, j, r2) => numbers[first + names.length * row(i, j, r2) + stride * column(i, j, r2)] as number
}

/** A number of a whole function. */
function wholeOf(
  name: string,
  part: (typeof wholeParts)[number],
  indices: readonly string[],
  tables: Interaction['tables'] = {},
  data: PairData,
): PairNumber | undefined {
  const whole = wholeNumber(name, part, indices)
  return indices.length === 0 ? () => data.parameters[whole] as number : lookupOf(whole, { tables }, data)
}
