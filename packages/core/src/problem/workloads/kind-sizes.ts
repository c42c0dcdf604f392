/**
 * The sizes of kinds in cutoffs that read tables. The host finds them for the tables of a run, which gets them as parameters, so devices
 * read no table when they find the sizes of points (`table-sizes.ts`).
 *
 * No number of a table exceeds the size of its row and that of its column together.
 *
 * @module
 */
import { Remembered } from '../../ground/remember.ts'
import { columnsOf, isSymmetricTable, type Table, type Tables } from '../../ground/table.ts'
import { type Expr, symbolsOf } from '../../language/nodes.ts'

/** The sizes of a list, or of the rows or columns of a table. */
export type SizePart = 'kind' | 'row' | 'column'

/** The parameter with the size of a kind. No caller can choose such a name. */
export const nameOfSize = (table: string, part: SizePart, kind: number): string => `cutoff:${table}:${part}:${kind}`
const pattern = /^cutoff:(\w+):(kind|row|column):(\d+)$/

/** Whether a parameter is the size of a kind. */
export const isSizeOfKind = (parameter: string): boolean => pattern.test(parameter)

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
  for (const { table, part, room } of roomsOfKinds(sizes)) {
    const own = tables[table] ? sizesFor(tables[table])[part] : []
    const last = room - 1
    if (part === 'kind' && own.length > room) exact = false
    for (let n = 0; n <= last; n++)
      parameters[nameOfSize(table, part, n)] =
        n < last ? (own[n] ?? own.at(-1) ?? 0) : largest(own.slice(last), own.at(-1))
  }
  return { parameters, exact }
}

/** A table that sizes read. */
export interface RoomOfKinds {
  readonly table: string
  readonly part: SizePart
  /** The number of kinds that have a size of their own. */
  readonly room: number
}

const reads = new Remembered<Sizes, readonly RoomOfKinds[]>()

/** The tables that sizes read. */
export function roomsOfKinds(sizes: Sizes): readonly RoomOfKinds[] {
  return reads.of(sizes, () => {
    const names = [...symbolsOf(sizes.target, sizes.source)].filter(isSizeOfKind)
    const prefixes = names.map((name) => name.slice(0, name.lastIndexOf(':') + 1))
    return [...new Set(prefixes)].map((prefix) => {
      const [, table, part] = pattern.exec(`${prefix}0`) as unknown as [string, string, SizePart]
      return { table, part, room: prefixes.filter((one) => one === prefix).length }
    })
  })
}

/** Kinds beyond the last of a table are taken for that. */
const largest = (sizes: readonly number[], last = 0): number => sizes.reduce((a, b) => Math.max(a, b), sizes[0] ?? last)

const known = new Remembered<Table, Readonly<Record<SizePart, readonly number[]>>>()

function sizesFor(table: Table): Readonly<Record<SizePart, readonly number[]>> {
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
    // The mean of both is enough, too: each number stands in the table twice. A law with another table reads columns by themselves.
    const mean = ofRows.map((size, n) => (size + (rest[n] as number)) / 2)
    return { kind: [], row: mean, column: mean }
  })
}
