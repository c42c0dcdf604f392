/**
 * Bounds of the numbers of all pairs of points: their attributes, the parameters and the tables.
 *
 * @module
 */
import type { FloatArray } from '../../ground/checks.ts'
import { parseAttribute } from '../../ground/names.ts'
import { Remembered } from '../../ground/remember.ts'
import type { Table, Tables } from '../../ground/table.ts'
import { anything, type Bounds, boundsOf, rounded } from '../../language/bounds.ts'
import { parseLookup } from '../../language/lookups.ts'
import type { Expr } from '../../language/nodes.ts'

/** The numbers of a run over pairs, on the host. */
export interface PairNumbers {
  readonly targets: Readonly<Record<string, unknown>>
  readonly sources: Readonly<Record<string, unknown>>
  readonly parameters: Readonly<Record<string, number>>
  readonly tables?: Tables | undefined
}

/** Bounds of an expression over all pairs. */
export const boundsOfPairs = (e: Expr, numbers: PairNumbers): Bounds => boundsOf(e, boundsOfSymbols(numbers))

/** Bounds of each symbol over all pairs. Arrays are read once. */
export function boundsOfSymbols({
  targets,
  sources,
  parameters,
  tables = {},
}: PairNumbers): (symbol: string) => Bounds {
  const found = new Map<unknown, Bounds>()
  const ofArray = (array: unknown): Bounds => {
    const bounds = found.get(array) ?? extremesOf(array)
    found.set(array, bounds)
    return bounds
  }
  return (symbol) => {
    const parameter = parameters[symbol]
    if (parameter !== undefined) return rounded(parameter, parameter)
    const { table = '' } = parseLookup(symbol) ?? {}
    if (Object.hasOwn(tables, table)) return ofTable(tables[table] as Table)
    const { attribute = '', side } = parseAttribute(symbol) ?? {}
    return ofArray((side === 'i' ? targets : sources)[attribute])
  }
}

const known = new Remembered<Table, Bounds>()

const ofTable = (table: Table): Bounds => known.of(table, () => extremesOf(Float64Array.from(table.flat())))

/** Bounds of an array that is on the host; anything if it is not. */
function extremesOf(array: unknown): Bounds {
  if (!ArrayBuffer.isView(array)) return anything
  const numbers = array as FloatArray
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let n = 0; n < numbers.length; n++) {
    const x = numbers[n] as number
    if (x < low) low = x
    if (x > high) high = x
  }
  return low <= high ? rounded(low, high) : anything
}
