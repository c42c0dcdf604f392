/** Reads a record from a file. */

import { BadInputError } from '../errors.ts'
import type { BenchmarkRecord } from '../record.ts'
import { type PackedRecord, recordOf, schema } from '../record-text.ts'
import { contentsOf } from './files.ts'

/** @throws BadInputError with the file and its fault */
export function readRecord(file: string): BenchmarkRecord {
  const text = contentsOf(file)
  const fault = (reason: string) => new BadInputError(`"${file}" is not a record of this benchmark: ${reason}`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw fault('expected JSON')
  }
  const { schema: found } = Object(value) as { readonly schema?: unknown }
  if (found !== schema) throw fault(`expected schema ${schema}, got ${JSON.stringify(found) ?? 'none'}`)
  try {
    return recordOf(value as PackedRecord)
  } catch (error) {
    throw fault(error instanceof Error ? error.message : String(error))
  }
}
