/**
 * Reads the indices of tables and of tabulated functions: `epsilon[kind_i, kind_j]`.
 *
 * @module
 */
import { describe } from '../../ground/checks.ts'
import { lookupName } from '../lookups.ts'
import { type Expr, symbol } from '../nodes.ts'
import { indicesOf, type Scope, some } from './scope.ts'
import type { TokenReader } from './token-reader.ts'
import type { Token } from './tokens.ts'

/** A number of a table, after its name. */
export function readLookup(reader: TokenReader, scope: Scope, name: Token): Expr {
  const count = indicesOf(scope, name.text)
  if (count === undefined) {
    const tables = Object.keys(scope.tables ?? {})
    const known = some(tables) || 'none'
    return reader.refuse(
      `${describe(name.text)} is not a table, and only tables have indices; tables: ${known}`,
      name,
      tables,
    )
  }
  const form = `${name.text}[${kinds(count, scope)}]`
  const indices = readIndices(reader, scope, count, form, `"[", because a table needs indices: ${form}`)
  return symbol(lookupName({ table: name.text, indices }))
}

/** Indices for a message. */
export const kinds = (count: number, { curve }: Scope): string =>
  curve ? 'kind' : ['kind_i', 'kind_j'].slice(0, count).join(', ')

/** Attributes in brackets. @param expected the words for an error, if there are none */
export function readIndices(
  reader: TokenReader,
  { open }: Scope,
  count: number,
  form: string,
  expected: string,
): readonly string[] {
  reader.expect('[', expected)
  const indices: string[] = []
  do {
    const index = reader.peek()
    if (index.kind !== 'name' || !open?.test(index.text) || open.refuse?.(index.text) !== undefined)
      reader.fail(`an attribute as an index, as in ${form}`, index)
    reader.next++
    indices.push(index.text)
  } while (reader.accept(','))
  const close = reader.peek()
  reader.expect(']', `"]", as in ${form}`)
  if (indices.length !== count)
    reader.fail(`${count === 1 ? '1 index' : '2 indices'}, as in ${form}`, close, `${indices.length}`)
  return indices
}
