/**
 * The sizes of points in a cutoff that reads tables, by their kinds. The host finds a size for each kind, and gives them to a run as
 * parameters, so devices read no table when they find the sizes of points.
 *
 * `size[kind_i]` has its numbers as sizes. For `reach[kind_i, kind_j]` each row has a size and each column, so that no number of the table
 * exceeds the two sizes that meet in it.
 *
 * @module
 */
import { Remembered } from '../../ground/remember.ts'
import { columnsOf, isSymmetricTable, type Table, type Tables } from '../../ground/table.ts'
import { callOf } from '../../language/canonical.ts'
import { parseLookup } from '../../language/lookups.ts'
import { constant, type Expr, symbol, symbolsOf } from '../../language/nodes.ts'
import { substitute } from '../../language/simplify.ts'

/** The numbers of kinds of a law that have sizes of their own: at least `least`, and room for more kinds in a run. */
const [least, most] = [8, 64]

type Part = 'kind' | 'row' | 'column'

/** The parameter with the size of a kind. No caller can choose such a name. */
const nameOf = (table: string, part: Part, kind: number): string => `cutoff:${table}:${part}:${kind}`
const pattern = /^cutoff:(\w+):(kind|row|column):(\d+)$/

/** Whether a parameter is the size of a kind. */
export const isSizeOfKind = (parameter: string): boolean => pattern.test(parameter)

/** The number of sizes that programs have for the kinds of a law. */
const roomFor = (kinds: number): number => Math.min(most, Math.max(least, 2 ** Math.ceil(Math.log2(kinds))))

/** The size of the kind that an attribute names. Kinds beyond the last size have that. */
function byKind(index: string, table: string, part: Part, kinds: number): Expr {
  const among = (first: number, end: number): Expr => {
    if (end - first === 1) return symbol(nameOf(table, part, first))
    const middle = (first + end) / 2
    const below = callOf('less', [symbol(index), constant(middle - 0.5)])
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

/** The sizes of kinds for the tables of a run. */
export interface KindSizes {
  readonly parameters: Readonly<Record<string, number>>
  /** Whether each kind of a list has its own size. Where kinds share one, it may be less than what some expression needs. */
  readonly exact: boolean
}

/** The sizes of points as expressions. */
interface Sizes {
  readonly target: Expr
  readonly source: Expr
}

export function sizesOfKinds(sizes: Sizes, tables: Tables = {}): KindSizes {
  const parameters: Record<string, number> = {}
  let exact = true
  for (const { table, part, room } of readIn(sizes)) {
    const own = tables[table] ? sizesFor(tables[table])[part] : []
    const last = room - 1
    if (part === 'kind' && own.length > room) exact = false
    for (let n = 0; n <= last; n++)
      parameters[nameOf(table, part, n)] = n < last ? (own[n] ?? own.at(-1) ?? 0) : largest(own.slice(last), own.at(-1))
  }
  return { parameters, exact }
}

interface Read {
  readonly table: string
  readonly part: Part
  /** The number of kinds that have a size of their own. */
  readonly room: number
}

const reads = new Remembered<Sizes, readonly Read[]>()

/** The tables that sizes read. */
function readIn(sizes: Sizes): readonly Read[] {
  return reads.of(sizes, () => {
    const names = [...symbolsOf(sizes.target, sizes.source)].filter(isSizeOfKind)
    const prefixes = names.map((name) => name.slice(0, name.lastIndexOf(':') + 1))
    return [...new Set(prefixes)].map((prefix) => {
      const [, table, part] = pattern.exec(`${prefix}0`) as unknown as [string, string, Part]
      return { table, part, room: prefixes.filter((one) => one === prefix).length }
    })
  })
}

/** Kinds beyond the last of a table are taken for that. */
const largest = (sizes: readonly number[], last = 0): number => sizes.reduce((a, b) => Math.max(a, b), sizes[0] ?? last)

const known = new Remembered<Table, Readonly<Record<Part, readonly number[]>>>()

function sizesFor(table: Table): Readonly<Record<Part, readonly number[]>> {
  return known.of(table, () => {
    if (columnsOf(table) === undefined) return { kind: table as readonly number[], row: [], column: [] }
    const rows = (table as readonly (readonly number[])[]).map((row) => row.map((x) => Math.abs(x) || 0))
    const columns = (rows[0] ?? []).map((_, l) => rows.map((row) => row[l] as number))
    // Each takes the least size that the others leave. Columns begin with their least number, which makes sums of two sizes exact.
    const left = (numbers: readonly number[], others: readonly number[]) =>
      numbers.reduce((size, x, n) => Math.max(size, x - (others[n] as number)), 0)
    const lowest = columns.map((column) => column.reduce((low, x) => Math.min(low, x), Number.POSITIVE_INFINITY))
    const ofRows = rows.map((row) => left(row, lowest))
    const rest = columns.map((column) => left(column, ofRows))
    if (!isSymmetricTable(table)) return { kind: [], row: ofRows, column: rest }
    // The mean of both is enough, too: each number stands in the table twice.
    return { kind: [], row: ofRows.map((size, n) => (size + (rest[n] as number)) / 2), column: [] }
  })
}
