/**
 * Look-ups: numbers of tables in the text of a law, `epsilon[kind_i, kind_j]`. A look-up is a symbol, and its name says where its
 * number is. So every visitor of trees treats it as a number of the pair, which is constant in the displacement.
 *
 * This file knows the names alone. The tables and their numbers are in `ground/table.ts`.
 *
 * @module
 */
import { parseAttribute } from '../ground/names.ts'

export interface Lookup {
  readonly table: string
  /** The attributes that index it: the row, and the column if it has columns. */
  readonly indices: readonly string[]
}

export const lookupName = ({ table, indices }: Lookup): string => `${table}[${indices.join(', ')}]`

const pattern = /^([A-Za-z]\w*)\[([\w, ]+)\]$/

/** Splits `epsilon[kind_i, kind_j]` into the table and its indices; undefined for any other name. */
export function parseLookup(name: string): Lookup | undefined {
  const [, table, indices] = pattern.exec(name) ?? []
  return table === undefined || indices === undefined ? undefined : { table, indices: indices.split(', ') }
}

/** The attributes that a symbol of a pair reads: its own attribute, or the indices of a look-up. */
export function attributesIn(name: string): readonly { readonly attribute: string; readonly side: 'i' | 'j' }[] {
  const names = parseLookup(name)?.indices ?? [name]
  return names.flatMap((one) => parseAttribute(one) ?? [])
}
