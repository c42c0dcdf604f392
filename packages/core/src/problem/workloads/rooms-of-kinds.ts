/**
 * The names of the parameters that have the sizes of kinds, for cutoffs that read tables. `kind-sizes.ts` finds these sizes.
 *
 * @module
 */

/** The sizes of a list, or of the rows or columns of a table. */
export type SizePart = 'kind' | 'row' | 'column'

/** A table that sizes read. */
export interface RoomOfKinds {
  readonly table: string
  readonly part: SizePart
  /** The number of kinds that have a size of their own. */
  readonly room: number
}

/** The parameter with the size of a kind. No caller can choose such a name. */
export const nameOfSize = (table: string, part: SizePart, kind: number): string => `cutoff:${table}:${part}:${kind}`
const pattern = /^cutoff:(\w+):(kind|row|column):(\d+)$/

/** Whether a parameter is the size of a kind. */
export const isSizeOfKind = (parameter: string): boolean => pattern.test(parameter)

/** The table that a parameter with the size of a kind belongs to. */
export function tableOfSize(parameter: string): Pick<RoomOfKinds, 'table' | 'part'> {
  const [, table, part] = pattern.exec(parameter) as unknown as [string, string, SizePart]
  return { table, part }
}
