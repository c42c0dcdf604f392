/**
 * Checks the tables that a user gives, and copies them.
 *
 * @module
 */
import { describe, finite, hasNames, unexpected } from './checks.ts'
import { isList } from './lists.ts'
import { record } from './names.ts'
import { requireFew, type Table, type Tables } from './table.ts'

const form = 'a number for each kind, [1, 2], or a row for each kind, [[1, 0.5], [0.5, 2]]'

/** Tables by name, copied. @throws TypeError, RangeError */
export function checkedTables(given: unknown): Tables {
  if (!hasNames(given)) throw unexpected('tables', 'tables by name, { epsilon: [[1, 0.5], [0.5, 2]] }', given)
  const tables = Object.entries(given).map(([name, table]) => [name, checkedTable(table, `tables.${name}`)] as const)
  const checked = Object.freeze(record(tables))
  requireFew(checked)
  return checked
}

function checkedTable(given: unknown, name: string): Table {
  if (!isList(given)) throw unexpected(name, form, given)
  if (given.length === 0) throw new RangeError(`"${name}" expected ${form}, got an empty table`)
  if (!isList(given[0])) return numbersOf(given, name)
  const columns = given[0].length
  if (columns === 0) throw new RangeError(`"${name}[0]" expected a number for each kind, got an empty row`)
  const rows = Array.from(given, (row, n) => {
    if (!isList(row)) throw unexpected(`${name}[${n}]`, 'a row of numbers', row)
    if (row.length !== columns)
      throw new RangeError(`"${name}[${n}]" expected ${columns} numbers, as in row 0, got ${row.length}`)
    return numbersOf(row, `${name}[${n}]`)
  })
  return Object.freeze(rows)
}

function numbersOf(given: ArrayLike<unknown>, name: string): readonly number[] {
  const numbers = Array.from(given, (value, n) => {
    if (typeof value === 'number' && !Number.isFinite(value))
      throw new RangeError(
        `"${name}[${n}]" expected finite number, got ${describe(value)}; to leave out pairs, use exclusions`,
      )
    return finite(value, `${name}[${n}]`)
  })
  return Object.freeze(numbers)
}
