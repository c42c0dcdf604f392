/** Reads a record from a file and checks it, so that reports can rely on its shape. */

import { BadInputError } from '../errors.ts'
import type { BenchmarkRecord } from '../record.ts'
import { type PackedRecord, recordOf, schema } from '../record-text.ts'
import { contentsOf } from './files.ts'

/** @throws BadInputError with the file and its fault */
export function readRecord(file: string): BenchmarkRecord {
  const value = parsed(file)
  for (const fault of faultsIn(value))
    if (fault !== undefined) throw new BadInputError(`"${file}" is not a record of this benchmark: ${fault}`)
  return recordOf(value as PackedRecord)
}

function parsed(file: string): unknown {
  const text = contentsOf(file)
  try {
    return JSON.parse(text)
  } catch {
    throw new BadInputError(`"${file}" is not a record of this benchmark: expected JSON`)
  }
}

const record = {
  ...{ command: 'string', kind: 'string', date: 'string', machine: 'object' },
  ...{ environments: 'array', problems: 'array', devices: 'array', contenders: 'array', rows: 'array' },
}
const items = {
  problems: { name: 'string', workload: 'string', targets: 'number', sources: 'number', interactions: 'number' },
  devices: { device: 'string', kind: 'string' },
  contenders: { name: 'string', rival: 'boolean', precision: 'string', on: 'number' },
}

type Lists = Readonly<Record<'environments' | 'rows' | keyof typeof items, readonly unknown[]>>

/** The differences between the value and a file of a record, one after the other. A check relies on those before it. */
function* faultsIn(value: unknown): Generator<string | undefined> {
  if (kindOf(value) !== 'object') return yield 'expected an object'
  const { schema: found } = value as { readonly schema?: unknown }
  if (found !== schema) return yield `expected schema ${schema}, got ${JSON.stringify(found) ?? 'none'}`
  yield mismatch(value, record, '')
  const file = value as Lists
  for (const list of Object.keys(items) as (keyof typeof items)[])
    for (const [n, item] of file[list].entries()) yield mismatch(item, items[list], `${list}[${n}].`)
  for (const [n, contender] of file.contenders.entries())
    yield placeFault(file, 'devices', (contender as { readonly on: unknown }).on, `contenders[${n}].on`)
  for (const [n, row] of file.rows.entries()) yield* rowFaults(file, row, `rows[${n}]`)
}

function* rowFaults(file: Lists, row: unknown, at: string): Generator<string | undefined> {
  if (!Array.isArray(row)) return yield `${at} expected array, got ${kindOf(row)}`
  for (const [n, list] of (['environments', 'problems', 'contenders'] as const).entries())
    yield placeFault(file, list, row[n], `${at}[${n}]`)
  const outcome: unknown = row[3]
  if (kindOf(outcome) !== 'object') return yield `${at}[3] expected object, got ${kindOf(outcome)}`
  const { refused, call, error } = outcome as Readonly<Record<string, unknown>>
  if (typeof refused === 'string') return
  yield mismatch(outcome, { call: 'array', error: 'object' }, `${at}[3].`)
  const times = call as readonly unknown[]
  if (times.length !== 4 || !times.every(Number.isFinite))
    yield `${at}[3].call expected 4 numbers, got ${JSON.stringify(call)}`
  yield mismatch(error, { max: 'number' }, `${at}[3].error.`)
}

function placeFault(file: Lists, list: keyof Lists, place: unknown, at: string): string | undefined {
  const { length } = file[list]
  if (Number.isInteger(place) && Number(place) >= 0 && Number(place) < length) return undefined
  return `${at} expected a place in the ${length} ${list}, got ${JSON.stringify(place) ?? 'nothing'}`
}

/** The first member that differs from the shape, in words. */
function mismatch(value: unknown, shape: Readonly<Record<string, string>>, at: string): string | undefined {
  const found = kindOf(value) === 'object' ? (value as Readonly<Record<string, unknown>>) : {}
  const name = Object.keys(shape).find((name) => kindOf(found[name]) !== shape[name])
  return name === undefined ? undefined : `${at}${name} expected ${shape[name]}, got ${kindOf(found[name])}`
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  return value === null || value === undefined ? 'nothing' : typeof value
}
