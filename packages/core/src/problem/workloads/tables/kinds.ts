/**
 * Kinds: the attributes that index tables. They are whole numbers from 0, and every table has a number for each.
 *
 * @module
 */
import type { PointSet } from '../../../ground/arrays/bindings.ts'
import type { FloatArray } from '../../../ground/checks.ts'
import { parseAttribute } from '../../../ground/names.ts'
import { columnsOf, type Table, type Tables } from '../../../ground/table.ts'
import { functionOf, isOfStep, parseLookup } from '../../../language/lookups.ts'

/** How many kinds a table has for an attribute of one side. */
export interface Kinds {
  readonly attribute: string
  readonly side: 'i' | 'j'
  readonly table: string
  readonly count: number
  readonly along: 'rows' | 'columns' | 'numbers' | 'functions'
}

/** The kinds that look-ups read. @param lookups their names */
export function kindsIn(lookups: readonly string[], tables: Tables): readonly Kinds[] {
  return lookups.flatMap((name) => {
    const { table = '', indices = [] } = parseLookup(name) ?? {}
    if (isOfStep(name)) return []
    const own = tables[table] as Table
    return indices.flatMap((index, n) => {
      const found = parseAttribute(index)
      if (!found) return []
      const columns = columnsOf(own)
      const along = columns === undefined ? 'numbers' : n === 0 ? 'rows' : 'columns'
      return [
        {
          ...found,
          table: functionOf(table) ?? table,
          count: along === 'columns' ? (columns as number) : own.length,
          along,
        } as const,
      ]
    })
  })
}

/** @throws RangeError for a number that is no kind of a table. Arrays on a device are not read: there, fractions are cut off, and other kinds are the nearest of the table */
export function requireKinds(kinds: readonly Kinds[], side: Kinds['side'], set: PointSet, prefix: string): void {
  const passed = new Map<string, number>()
  for (const { attribute, table, count, along, side: read } of kinds) {
    const array = set.arrays[attribute]
    if (read !== side || !ArrayBuffer.isView(array) || count >= (passed.get(attribute) ?? Infinity)) continue
    const at = indexOfOther(array, count)
    if (at >= 0)
      throw new RangeError(
        `"${prefix}${attribute}" expected whole numbers from 0 to ${count - 1}, because ${table} has ${count} ${count === 1 ? along.slice(0, -1) : along}, got ${array[at]} at index ${at}`,
      )
    passed.set(attribute, count)
  }
}

/** The first number that is no kind; -1 if there is none. A loop, because `findIndex` took a third of a millisecond for 4096 points. */
function indexOfOther(array: FloatArray, count: number): number {
  for (let n = 0; n < array.length; n++) {
    const kind = array[n] as number
    if (!(kind >= 0 && kind < count && Math.floor(kind) === kind)) return n
  }
  return -1
}
