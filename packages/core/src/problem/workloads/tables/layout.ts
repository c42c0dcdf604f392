/**
 * The layout of the tables of a law in one array, and the numbers that give expressions a place in it.
 *
 * Tables of one shape form a block. They are interleaved: all numbers of a pair of kinds lie side by side, so that one index serves
 * them all. Within a block, the kind of the row varies fastest, so that targets of all kinds read neighbouring numbers when they meet
 * the same source.
 *
 *   place = start + width * (row + rows * column) + slot
 *
 * @module
 */
import type { Bindings } from '../../../ground/arrays/bindings.ts'
import type { FloatArray } from '../../../ground/checks.ts'
import { Remembered } from '../../../ground/remember.ts'
import { columnsOf, type Table, type Tables } from '../../../ground/table.ts'
import { vectorTable } from '../../../language/lookups.ts'

/** Tables of one shape. */
export interface TableBlock {
  readonly names: readonly string[]
  readonly rows: number
  readonly columns: number
  /** The place of its first number. */
  readonly start: number
}

const blocks = new Remembered<Tables, readonly TableBlock[]>()

/** The blocks of tables, in the order of their first tables. */
export function blocksOf(tables: Tables): readonly TableBlock[] {
  return blocks.of(tables, () => {
    const shapes = new Map<string, { names: string[]; rows: number; columns: number }>()
    for (const [name, table] of Object.entries(tables)) {
      const columns = columnsOf(table)
      // The functions and vectors of a run may have other lengths than other tables.
      const key = `${table.length} ${columns} ${/^\w+(?:[.:]+|\{)/.exec(name)?.[0]}`
      const block = shapes.get(key) ?? { names: [], rows: table.length, columns: columns ?? 1 }
      block.names.push(name)
      shapes.set(key, block)
    }
    let start = 0
    return [...shapes.values()].map((block) => {
      const placed = { ...block, start }
      start += block.names.length * block.rows * block.columns
      return placed
    })
  })
}

/** The numbers of block `n` that expressions read by these names. No caller can choose such names. */
export const blockNames = (n: number) => ({
  start: `tables.${n}.start`,
  lastRow: `tables.${n}.lastRow`,
  lastColumn: `tables.${n}.lastColumn`,
  columnStride: `tables.${n}.columnStride`,
})

/** The number with the place of the first component of a vector among the parameters; undefined for any other name. */
export function vectorStart(parameter: string, tables: Tables = {}): string | undefined {
  return vectorBlock(parameter, tables)?.start
}

/** The components of a vector among the parameters, in the numbers of a run. */
export function vectorIn(
  parameter: string,
  tables: Tables | undefined,
  { parameters, tables: all }: Pick<Bindings, 'parameters' | 'tables'>,
): FloatArray | undefined {
  const { start, lastRow } = vectorBlock(parameter, tables) ?? {}
  if (start === undefined || lastRow === undefined) return undefined
  const first = parameters[start] as number
  return all?.subarray(first, first + (parameters[lastRow] as number) + 1)
}

/** The numbers that place a vector, which is a block of its own. */
function vectorBlock(parameter: string, tables: Tables = {}): ReturnType<typeof blockNames> | undefined {
  const table = vectorTable(parameter)
  if (!Object.hasOwn(tables, table)) return undefined
  return blockNames(blocksOf(tables).findIndex(({ names }) => names.includes(table)))
}

/** These numbers by name. */
export function tableParameters(tables: Tables): Readonly<Record<string, number>> {
  const numbers = blocksOf(tables).flatMap(({ names, rows, columns, start }, n) => {
    const own = blockNames(n)
    return [
      [own.start, start],
      [own.lastRow, rows - 1],
      [own.lastColumn, columns - 1],
      [own.columnStride, names.length * rows],
    ] as const
  })
  // A function that is the same for all pairs.
  const whole = Object.entries(tables).flatMap(([name, [value]]) =>
    name.includes('::') ? [[name, value as number] as const] : [],
  )
  return Object.fromEntries([...numbers, ...whole])
}

/**
 * How many numbers all tables need for these parameters, which place them for other numbers of kinds and of nodes; undefined if
 * the parameters do not describe such tables.
 */
export function tablesLength(tables: Tables, parameters: Readonly<Record<string, number>>): number | undefined {
  let length = 0
  for (const [n, { names }] of blocksOf(tables).entries()) {
    const own = blockNames(n)
    const numbers = [own.start, own.lastRow, own.lastColumn, own.columnStride].map((name) => parameters[name] ?? -1)
    const [start, lastRow, lastColumn, stride] = numbers as [number, number, number, number]
    const whole = numbers.every((value) => Number.isSafeInteger(value) && value >= 0)
    if (!whole || start !== length || stride !== names.length * (lastRow + 1)) return undefined
    length += stride * (lastColumn + 1)
  }
  return length
}

const joined = new Remembered<Tables, Float64Array>()

/** The numbers of all tables in one array. */
export function joinedTables(tables: Tables): Float64Array {
  return joined.of(tables, () => {
    const all = blocksOf(tables)
    const numbers = new Float64Array(
      all.reduce((sum, { names, rows, columns }) => sum + names.length * rows * columns, 0),
    )
    for (const { names, rows, start } of all)
      for (const [slot, name] of names.entries())
        for (const [row, given] of (tables[name] as Table).entries())
          for (const [column, value] of (typeof given === 'number' ? [given] : given).entries())
            numbers[start + names.length * (row + rows * column) + slot] = value
    return numbers
  })
}
