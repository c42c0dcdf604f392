/**
 * Which tables the sizes in cutoffs read, and the names of the parameters that have the sizes of their kinds. `kind-sizes.ts` finds these
 * sizes.
 *
 * @module
 */
import { Remembered } from '../../ground/remember.ts'
import { type Expr, symbolsOf } from '../../language/nodes.ts'

/** The sizes of a list, or of the rows or columns of a table. */
export type SizePart = 'kind' | 'row' | 'column'

/** The parameter with the size of a kind. No caller can choose such a name. */
export const nameOfSize = (table: string, part: SizePart, kind: number): string => `cutoff:${table}:${part}:${kind}`
const pattern = /^cutoff:(\w+):(kind|row|column):(\d+)$/

/** Whether a parameter is the size of a kind. */
export const isSizeOfKind = (parameter: string): boolean => pattern.test(parameter)

/** The sizes of points as expressions. */
export interface SizesOfPoints {
  readonly target: Expr
  readonly source: Expr
}

/** A table that sizes read. */
export interface RoomOfKinds {
  readonly table: string
  readonly part: SizePart
  /** The number of kinds that have a size of their own. */
  readonly room: number
}

const reads = new Remembered<SizesOfPoints, readonly RoomOfKinds[]>()

/** The tables that sizes read. */
export function roomsOfKinds(sizes: SizesOfPoints): readonly RoomOfKinds[] {
  return reads.of(sizes, () => {
    const names = [...symbolsOf(sizes.target, sizes.source)].filter(isSizeOfKind)
    const prefixes = names.map((name) => name.slice(0, name.lastIndexOf(':') + 1))
    return [...new Set(prefixes)].map((prefix) => {
      const [, table, part] = pattern.exec(`${prefix}0`) as unknown as [string, string, SizePart]
      return { table, part, room: prefixes.filter((one) => one === prefix).length }
    })
  })
}
