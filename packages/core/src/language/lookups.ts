/**
 * Look-ups: numbers of tables in the text of a law, `epsilon[kind_i, kind_j]`, and of tabulated functions (`curves.ts`). A look-up is a symbol, and its name says where its
 * number is. So every visitor of trees treats it as a number of the pair, which is constant in the displacement.
 *
 * This file knows the names alone. The tables and their numbers are in `ground/table.ts`.
 *
 * @module
 */
import { parseAttribute } from '../ground/names.ts'
import { vectorsIn } from './fold-names.ts'

export interface Lookup {
  readonly table: string
  /** The attributes that index it: the row, and the column if it has columns. */
  readonly indices: readonly string[]
  /** For a number of a step: whether the step is that at the cutoff, instead of that at the distance. */
  readonly atCutoff?: boolean
}

/** Whether the place of a number depends on the distance, because it belongs to a step of a tabulated function. */
export const isOfStep = (name: string): boolean => parseLookup(name)?.table.includes('.') === true

export const lookupName = ({ table, indices, atCutoff = false }: Lookup): string =>
  `${table}[${indices.join(', ')}]${atCutoff ? '@cutoff' : ''}`

const pattern = /^([A-Za-z]\w*(?:[:.]\w+)?)\[([\w, ]*)\](@cutoff)?$/

/** Splits `epsilon[kind_i, kind_j]` into the table and its indices; undefined for any other name. */
export function parseLookup(name: string): Lookup | undefined {
  const [, table, indices, end] = pattern.exec(name) ?? []
  return table === undefined || indices === undefined
    ? undefined
    : { table, indices: indices === '' ? [] : indices.split(', '), ...(end !== undefined && { atCutoff: true }) }
}

/** A call of a tabulated function as text, `u[kind_i, kind_j](r)`: the name of its symbol where laws are put together as text. */
export const callText = ({ table, indices }: Lookup): string =>
  `${indices.length === 0 ? table : lookupName({ table, indices })}(r)`

/** A look-up or a call with another table or function, and with other indices. The name itself if it is neither. */
export function renamedLookup(
  name: string,
  { table = same, index = same }: { table?: (own: string) => string; index?: (own: string) => string },
): string {
  const [, called] = /^(.+)\(r\)$/.exec(name) ?? []
  const found = parseLookup(called ?? name) ?? (called === undefined ? undefined : { table: called, indices: [] })
  if (!found) return name
  const renamed = { ...found, table: table(found.table), indices: found.indices.map(index) }
  return called === undefined ? lookupName(renamed) : callText(renamed)
}

const same = (name: string) => name

/** The attributes that a symbol of a pair reads: its own attribute, the indices of a look-up, or the vectors of a fold. */
export function attributesIn(name: string): readonly { readonly attribute: string; readonly side: 'i' | 'j' }[] {
  const names = parseLookup(name)?.indices ?? vectorsIn(name) ?? [name]
  return names.flatMap((one) => parseAttribute(one) ?? [])
}

/** The numbers of a step, in their order: a force reads the first four. */
export const stepParts = ['x', 'b', 'c', 'd', 'a'] as const

/** A number of the step at a distance. */
export const stepNumber = (name: string, part: (typeof stepParts)[number], indices: readonly string[]): string =>
  lookupName({ table: `${name}.${part}`, indices })

/** A number of a step, in the step at the cutoff. */
export const numberAtCutoff = (name: string): string => lookupName({ ...(parseLookup(name) as Lookup), atCutoff: true })

/** The numbers of a whole function. */
export const wholeParts = ['from', 'to', 'scale', 'last', 'first'] as const

/** A number of the whole function. */
export const wholeNumber = (name: string, part: (typeof wholeParts)[number], indices: readonly string[]): string =>
  indices.length === 0 ? `${name}::${part}` : lookupName({ table: `${name}:${part}`, indices })

/** The table with the components of a vector among the parameters. No caller can choose such a name. */
export const vectorTable = (parameter: string): string => `${parameter}{}`

/** Whether a law has a table by its own name, and not for a function or a vector. */
export const isOwnTable = (table: string): boolean => /^\w+$/.test(table)

/** The function that a table of steps or of whole functions belongs to; undefined for other tables. */
export const functionOf = (table: string): string | undefined => /^(\w+)[.:]/.exec(table)?.[1]
