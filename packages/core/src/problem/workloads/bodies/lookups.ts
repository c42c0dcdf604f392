/**
 * The look-ups of a pair loop: the places of the numbers of tables, as expressions, and the names of these numbers in the loop.
 *
 * Tables of one shape share an index. Kinds are clamped to the kinds of the table, once per point, because padding after the last point
 * has arbitrary kinds, and nobody has checked arrays on a device. So no loop reads outside of the tables.
 *
 * @module
 */

import type { Tables } from '../../../ground/table.ts'
import { callOf, productOf, sumOf } from '../../../language/canonical.ts'
import { type Lookup, parseLookup } from '../../../language/lookups.ts'
import { constant, type Expr, key, symbol, symbolsOf } from '../../../language/nodes.ts'
import { rebuildWith } from '../../../language/rebuild.ts'
import { blockNames, blocksOf } from '../tables/layout.ts'

/** Numbers that lie side by side in the array of all tables. A loop reads them before it computes its bindings. */
export interface TableRead {
  /** The place of the first one: a whole number, at most 2^22. */
  readonly place: Expr
  readonly numbers: readonly { readonly name: string; readonly offset: number }[]
}

/** The reads of some expressions, by the names of their look-ups. */
export function tableReads(expressions: readonly Expr[], tables: Tables = {}): readonly TableRead[] {
  const reads = new Map<string, { place: Expr; numbers: { name: string; offset: number }[] }>()
  for (const name of [...symbolsOf(...expressions)].sort()) {
    const found = parseLookup(name)
    if (!found) continue
    const { place, offset } = placeOf(found, tables)
    const read = reads.get(key(place)) ?? { place, numbers: [] }
    read.numbers.push({ name, offset })
    reads.set(key(place), read)
  }
  return [...reads.values()]
}

function placeOf({ table, indices }: Lookup, tables: Tables): { readonly place: Expr; readonly offset: number } {
  const blocks = blocksOf(tables)
  const n = blocks.findIndex(({ names }) => names.includes(table))
  const { names } = blocks[n] as (typeof blocks)[number]
  const own = blockNames(n)
  const [row = '', column] = indices
  const along = [productOf([constant(names.length), clamped(row, own.lastRow)])]
  if (column !== undefined) along.push(productOf([symbol(own.columnStride), clamped(column, own.lastColumn)]))
  return { place: sumOf([symbol(own.start), ...along]), offset: names.indexOf(table) }
}

const clamped = (kind: string, last: string): Expr =>
  callOf('min', [callOf('max', [symbol(kind), constant(0)]), symbol(last)])

/** The names of look-ups as a shading language allows them. Scheduled expressions have no other names that look like these. */
export function renamed(reads: readonly TableRead[]): {
  readonly reads: readonly TableRead[]
  readonly rename: (e: Expr) => Expr
} {
  const names = new Map(reads.flatMap(({ numbers }) => numbers).map(({ name }, n) => [name, `entry${n}`] as const))
  const of = (name: string) => names.get(name) ?? name
  return {
    reads: reads.map(({ place, numbers }) => ({
      place,
      numbers: numbers.map(({ name, offset }) => ({ name: of(name), offset })),
    })),
    rename: (e) => (names.size === 0 ? e : rebuildWith(e, { symbol: (s) => symbol(of(s.name)) })),
  }
}
