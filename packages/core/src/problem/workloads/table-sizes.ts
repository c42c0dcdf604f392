/**
 * The sizes of points in a cutoff that reads tables, as expressions of their kinds: `size[kind_i]` has its numbers as sizes, and
 * `reach[kind_i, kind_j]` a size for each row and each column. The numbers of a run are in `kind-sizes.ts`.
 *
 * @module
 */
import { columnsOf, isSymmetricTable, type Table, type Tables } from '../../ground/table.ts'
import { callOf } from '../../language/canonical.ts'
import { parseLookup } from '../../language/lookups.ts'
import { constant, type Expr, symbol, symbolsOf } from '../../language/nodes.ts'
import { substitute } from '../../language/simplify.ts'
import { isSizeOfKind, nameOfSize, type RoomOfKinds, type SizePart, tableOfSize } from './rooms-of-kinds.ts'

/** The sizes of points as expressions. */
export interface SizesOfPoints {
  readonly target: Expr
  readonly source: Expr
}

/** The numbers of kinds of a law that have sizes of their own: at least `least`, and room for more kinds in a run. */
const [least, most] = [8, 64]

/** The number of sizes that programs have for the kinds of a law. */
const roomFor = (kinds: number): number => Math.min(most, Math.max(least, 2 ** Math.ceil(Math.log2(kinds))))

/** The size of the kind that an attribute names. Kinds beyond the last size have that, and fractions are cut off, as look-ups do. */
function byKind(index: string, table: string, part: SizePart, kinds: number): Expr {
  const among = (first: number, end: number): Expr => {
    if (end - first === 1) return symbol(nameOfSize(table, part, first))
    const middle = (first + end) / 2
    const below = callOf('less', [symbol(index), constant(middle)])
    return callOf('select', [below, among(first, middle), among(middle, end)])
  }
  return among(0, roomFor(kinds))
}

const sideOf = (index: string) => index.slice(-1)

/** A cutoff with the sizes of kinds in place of lists; undefined if it reads a table by two kinds of one point. */
export function withoutLists(cutoff: Expr, tables: Tables = {}): Expr | undefined {
  const lists: Record<string, Expr> = {}
  for (const name of symbolsOf(cutoff)) {
    const { table = '', indices = [] } = parseLookup(name) ?? {}
    const [index, other] = indices
    if (index === undefined) continue
    if (other !== undefined && sideOf(index) === sideOf(other)) return undefined
    if (other === undefined) lists[name] = byKind(index, table, 'kind', (tables[table] as Table).length)
  }
  return substitute(cutoff, lists)
}

/** A part of the target and one of the source for the number of a table; undefined for any other symbol. Their sum is at least its magnitude. */
export function partsOfTable(name: string, tables: Tables = {}): readonly [target: Expr, source: Expr] | undefined {
  const { table = '', indices = [] } = parseLookup(name) ?? {}
  const [row, column] = indices
  if (row === undefined || column === undefined) return undefined
  const numbers = tables[table] as Table
  const ofRow = byKind(row, table, 'row', numbers.length)
  // The rows and columns of a symmetric table have the same sizes, so points of one set have one size.
  const ofColumn = isSymmetricTable(numbers)
    ? byKind(column, table, 'row', numbers.length)
    : byKind(column, table, 'column', columnsOf(numbers) ?? 1)
  return sideOf(row) === 'i' ? [ofRow, ofColumn] : [ofColumn, ofRow]
}

/** The tables that the sizes of points read. */
export function roomsOfKinds({ target, source }: SizesOfPoints): readonly RoomOfKinds[] {
  const rooms = new Map<string, RoomOfKinds>()
  for (const name of [...symbolsOf(target, source)].filter(isSizeOfKind)) {
    const { table, part } = tableOfSize(name)
    const known = rooms.get(`${table} ${part}`)
    rooms.set(`${table} ${part}`, { table, part, room: (known?.room ?? 0) + 1 })
  }
  return [...rooms.values()]
}
