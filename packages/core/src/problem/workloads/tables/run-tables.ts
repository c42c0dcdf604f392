/**
 * The tables of a run: the tables of the law, with the numbers that a caller gives in their place.
 *
 * A program is compiled for tables that share an index and for tables that are symmetric, so other numbers must keep both.
 *
 * @module
 */
import { onlyNamed } from '../../../ground/checks.ts'
import { record } from '../../../ground/names.ts'
import {
  checkedTables,
  columnsOf,
  isSymmetricTable,
  type Table,
  type TableInput,
  type Tables,
} from '../../../ground/table.ts'
import type { Interaction } from '../../interactions/interaction.ts'
import { blocksOf } from './layout.ts'

/** The tables of a run; undefined if the law has none. @throws TypeError, RangeError */
export function tablesOf(
  { name: law, tables }: Pick<Interaction, 'name' | 'tables'>,
  given?: Readonly<Record<string, TableInput>>,
): Tables | undefined {
  if (given === undefined) return tables
  onlyNamed(given, `table of ${law}`, Object.keys(tables ?? {}))
  if (tables === undefined || Object.keys(given).length === 0) return tables
  const checked = checkedTables(given)
  for (const [name, table] of Object.entries(checked)) requireAlike(name, table, tables[name] as Table)
  const run = Object.freeze(record([...Object.entries(tables), ...Object.entries(checked)]))
  for (const { names } of blocksOf(tables)) requireOneShape(names, run)
  return run
}

function requireAlike(name: string, table: Table, own: Table): void {
  const [rows, wanted] = [columnsOf(table) !== undefined, columnsOf(own) !== undefined]
  if (rows !== wanted)
    throw new RangeError(
      `"tables.${name}" expected ${wanted ? 'a row' : 'a number'} for each kind, as in the law, got ${rows ? 'rows' : 'numbers'}`,
    )
  if (isSymmetricTable(own) && !isSymmetricTable(table))
    throw new RangeError(
      `"tables.${name}" expected a symmetric table, because that of the law is symmetric and each pair may be computed once, got another; define the law with a table that is not symmetric`,
    )
}

function requireOneShape([first = '', ...others]: readonly string[], tables: Tables): void {
  const shapeOf = (name: string) => [tables[name]?.length, columnsOf(tables[name] as Table) ?? []].flat().join(' x ')
  for (const other of others)
    if (shapeOf(other) !== shapeOf(first))
      throw new RangeError(
        `"tables.${other}" expected ${shapeOf(first)} numbers, as "${first}" has, because both have one shape in the law, got ${shapeOf(other)}; give both`,
      )
}
