/**
 * Tables of laws: numbers by the kinds of points, such as an `epsilon` for each pair of kinds. Plain lists, so that laws survive JSON.
 *
 * This file finds the properties that follow from their numbers. `check-tables.ts` checks them, and `problem/workloads/tables/` lays them
 * out for a run.
 *
 * @module
 */
import { Remembered } from './remember.ts'

/** A number for each kind, or a row for each kind of one point with a number for each kind of the other. */
export type Table = readonly number[] | readonly (readonly number[])[]

export type Tables = Readonly<Record<string, Table>>

/** A table as a user gives it: rows may be typed arrays. */
export type TableInput = ArrayLike<number> | readonly ArrayLike<number>[]

/** Numbers of all tables of a law. Float32 counts to four times this number, so it holds every index. */
const mostNumbers = 2 ** 22

/** @throws RangeError if tables have more numbers than a loop can count */
export function requireFew(tables: Tables): void {
  const count = Object.values(tables).reduce((sum, table) => sum + table.length * (columnsOf(table) ?? 1), 0)
  if (count > mostNumbers)
    throw new RangeError(
      `"tables" expected at most ${mostNumbers} numbers, got ${count}; use fewer kinds, or attributes if the numbers of a pair follow from those of its points`,
    )
}

/** The columns of a table with rows; undefined for one with a number for each kind. */
export function columnsOf(table: Table): number | undefined {
  const [first] = table
  return typeof first === 'object' ? first.length : undefined
}

const symmetric = new Remembered<Table, boolean>()

/** Whether two kinds have the same number in either order. */
export function isSymmetricTable(table: Table): boolean {
  return symmetric.of(table, () => {
    if (columnsOf(table) !== table.length) return false
    const rows = table as readonly (readonly number[])[]
    return rows.every((row, n) => row.slice(0, n).every((value, m) => value === rows[m]?.[n]))
  })
}
