/**
 * The look-ups of a pair loop: the places of the numbers of tables, as expressions, and the names of these numbers in the loop.
 *
 * Tables of one shape share an index. Kinds are clamped to the kinds of the table and lose their fractions, once per point, because padding
 * after the last point has arbitrary kinds, and nobody has checked arrays on a device. So no loop reads outside of the tables.
 *
 * @module
 */

import type { Tables } from '../../../ground/table.ts'
import { callOf, productOf, sumOf } from '../../../language/canonical.ts'
import { stepAt } from '../../../language/curves.ts'
import { functionOf, type Lookup, parseLookup } from '../../../language/lookups.ts'
import { constant, type Expr, key, symbol, symbolsOf } from '../../../language/nodes.ts'
import { rebuildWith } from '../../../language/rebuild.ts'
import type { Binding } from '../../../language/schedule.ts'
import { simplify } from '../../../language/simplify.ts'
import { blockNames, blocksOf } from '../tables/layout.ts'

/** Numbers that lie side by side in the array of all tables. A loop reads them before it computes its other bindings. */
export interface TableRead {
  /** The bindings of the loop that the place needs, in order. None if it needs the kinds of points alone. */
  readonly before: readonly Binding[]
  /** The place of the first one: a whole number, at most 2^22. */
  readonly place: Expr
  readonly numbers: readonly { readonly name: string; readonly offset: number }[]
}

/** The reads of some expressions, each after those that its place needs. @param r the distance */
export function tableReads(
  expressions: readonly Expr[],
  tables: Tables = {},
  r: Expr = symbol('r'),
): readonly Omit<TableRead, 'before'>[] {
  const reads = new Map<string, { place: Expr; numbers: { name: string; offset: number }[] }>()
  const add = (expressions: readonly Expr[]): void => {
    for (const name of [...symbolsOf(...expressions)].sort()) {
      const found = parseLookup(name)
      if (!found) continue
      const { place, offset } = placeOf(found, tables, found.atCutoff ? symbol('cutoff') : r)
      add([place])
      const read = reads.get(key(place)) ?? { place, numbers: [] }
      if (!read.numbers.some((number) => number.name === name)) read.numbers.push({ name, offset })
      reads.set(key(place), read)
    }
  }
  add(expressions)
  return [...reads.values()]
}

function placeOf(
  { table, indices }: Lookup,
  tables: Tables,
  r: Expr,
): { readonly place: Expr; readonly offset: number } {
  const blocks = blocksOf(tables)
  const n = blocks.findIndex(({ names }) => names.includes(table))
  const { names } = blocks[n] as (typeof blocks)[number]
  const own = blockNames(n)
  const offset = names.indexOf(table)
  const width = constant(names.length)
  const of = functionOf(table)
  if (of !== undefined && table.includes('.'))
    return { place: sumOf([symbol(own.start), productOf([width, simplify(stepAt(r, of, indices))])]), offset }
  const [row = '', column] = indices
  const along = [productOf([width, clamped(row, own.lastRow)])]
  if (column !== undefined) along.push(productOf([symbol(own.columnStride), clamped(column, own.lastColumn)]))
  return { place: sumOf([symbol(own.start), ...along]), offset }
}

/** A whole number, so that each table reads its own numbers. */
const clamped = (kind: string, last: string): Expr =>
  callOf('floor', [callOf('min', [callOf('max', [symbol(kind), constant(0)]), symbol(last)])])

/** Divides the bindings of a loop: each read has those that its place needs, and the rest follows all reads. */
export function inOrder(
  reads: readonly Omit<TableRead, 'before'>[],
  loop: readonly Binding[],
): { readonly reads: readonly TableRead[]; readonly rest: readonly Binding[] } {
  const left = new Map(loop.map((binding) => [binding.name, binding]))
  const taken = (names: ReadonlySet<string>): readonly Binding[] =>
    [...names].flatMap((name) => {
      const binding = left.get(name)
      if (!binding) return []
      left.delete(name)
      return [...taken(symbolsOf(binding.expr)), binding]
    })
  return { reads: reads.map((read) => ({ ...read, before: taken(symbolsOf(read.place)) })), rest: [...left.values()] }
}

/** Gives look-ups names that a shading language allows. Scheduled expressions have no other names that look like these. */
export function renaming(reads: readonly Pick<TableRead, 'numbers'>[]): {
  readonly name: (name: string) => string
  readonly rename: (e: Expr) => Expr
} {
  const names = new Map(reads.flatMap(({ numbers }) => numbers).map(({ name }, n) => [name, `entry${n}`] as const))
  const of = (name: string) => names.get(name) ?? name
  return { name: of, rename: (e) => (names.size === 0 ? e : rebuildWith(e, { symbol: (s) => symbol(of(s.name)) })) }
}
