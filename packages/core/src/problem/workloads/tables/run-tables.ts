/**
 * The tables of a run: the tables of the law, with the numbers that a caller gives in their place.
 *
 * A program is compiled for tables that share an index and for tables that are symmetric, so other numbers must keep both.
 *
 * @module
 */

import { checkedTables } from '../../../ground/check-tables.ts'
import { type Curves, checkedFunctions, type Functions } from '../../../ground/curves.ts'
import {
  columnsOf,
  isSymmetricTable,
  requireFew,
  type Table,
  type TableInput,
  type Tables,
} from '../../../ground/table.ts'
import type { CurveScope } from '../../../language/curves.ts'
import type { Interaction } from '../../interactions/interaction.ts'
import { blocksOf, functionOf, isOwnTable, onlyNamed, record, scopeOf } from '../../loaded-at-once.ts'
import type { Workload } from '../workload.ts'
import { functionTables } from './function-tables.ts'

/** The tables of a run of any workload; undefined if it has none. @throws TypeError, RangeError */
export function tablesOfRun(
  workload: Workload,
  tables: Readonly<Record<string, TableInput>> | undefined,
  functions: Readonly<Record<string, Curves>> | undefined,
): Tables | undefined {
  if (workload.loop === 'pair') return tablesOf(workload.law, tables, functions)
  if ((tables ?? functions) === undefined) return undefined
  throw new TypeError(
    `"${tables ? 'tables' : 'functions'}" expected a workload over pairs, because only laws of pairs have tables and functions`,
  )
}

/** The tables of a run; undefined if the law has none. @throws TypeError, RangeError */
export function tablesOf(
  { name: law, tables, functions = {} }: Pick<Interaction, 'name' | 'tables' | 'functions'>,
  ofRun?: Readonly<Record<string, TableInput>>,
  curvesOfRun?: Readonly<Record<string, Curves>>,
): Tables | undefined {
  if (ofRun === undefined && curvesOfRun === undefined) return tables
  const [given = {}, curves = {}] = [ofRun, curvesOfRun]
  onlyNamed(given, `table of ${law}`, Object.keys(tables ?? {}).filter(isOwnTable))
  onlyNamed(curves, `function of ${law}`, Object.keys(functions))
  if (tables === undefined || Object.keys({ ...given, ...curves }).length === 0) return tables
  const checked = { ...checkedTables(given), ...tablesOfCurves(curves, functions) }
  for (const [name, table] of Object.entries(checked)) requireAlike(name, table, tables[name] as Table)
  const run = Object.freeze(record([...Object.entries(tables), ...Object.entries(checked)]))
  for (const { names } of blocksOf(tables)) requireOneShape(names, run)
  requireFew(run)
  return run
}

/** The tables of functions that a caller gives. @throws RangeError if a program for those of the law cannot read them */
function tablesOfCurves(given: Readonly<Record<string, Curves>>, own: Functions): Tables {
  const checked = checkedFunctions(given)
  for (const [name, curves] of Object.entries(checked)) {
    const [got, wanted] = [scopeOf(curves), scopeOf(own[name] as Curves)]
    if (got.indices !== wanted.indices || got.outside !== wanted.outside)
      throw new RangeError(
        `"functions.${name}" expected ${inWords(wanted)}, as in the law, got ${inWords(got)}; define the law with it`,
      )
  }
  return functionTables(checked)
}

const inWords = ({ indices, outside }: CurveScope) =>
  `${['one function', 'a function for each kind', 'a row of functions for each kind'][indices]} with outside: '${outside}'`

function requireAlike(name: string, table: Table, own: Table): void {
  const [rows, wanted] = [columnsOf(table) !== undefined, columnsOf(own) !== undefined]
  if (rows !== wanted)
    throw new RangeError(
      `"tables.${name}" expected ${wanted ? 'a row' : 'a number'} for each kind, as in the law, got ${rows ? 'rows' : 'numbers'}`,
    )
  if (isSymmetricTable(own) && !isSymmetricTable(table))
    throw new RangeError(
      functionOf(name)
        ? `"functions.${functionOf(name)}" expected symmetric functions, because those of the law are symmetric and each pair may be computed once, got others; define the law with functions that are not symmetric`
        : `"tables.${name}" expected a symmetric table, because that of the law is symmetric and each pair may be computed once, got another; define the law with a table that is not symmetric`,
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
