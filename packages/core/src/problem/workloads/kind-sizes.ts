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
import { nameOfSize, type RoomOfKinds, type SizePart } from './rooms-of-kinds.ts'

/** The sizes of kinds for the tables of a run. */
export interface KindSizes {
  readonly parameters: Readonly<Record<string, number>>
  /** Whether each kind of a list has its own size. Where kinds share one, it may be less than what some expression needs. */
  readonly exact: boolean
}

/** @param rooms the tables that the sizes of points read */
export function sizesOfKinds(rooms: readonly RoomOfKinds[], tables: Tables = {}): KindSizes {
  const parameters: Record<string, number> = {}
  let exact = true
  for (const { table, part, room } of rooms) {
    const own = tables[table] ? sizesFor(tables[table])[part] : []
    const last = room - 1
    if (part === 'kind' && own.length > room) exact = false
    for (let n = 0; n <= last; n++)
      parameters[nameOfSize(table, part, n)] =
        n < last ? (own[n] ?? own.at(-1) ?? 0) : largest(own.slice(last), own.at(-1))
  }
  return { parameters, exact }
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
