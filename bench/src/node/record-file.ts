/** Reads a record from a file and checks it, so that reports can rely on its shape. */

import { BadInputError } from '../errors.ts'
import type { BenchmarkRecord } from '../record.ts'
import { type PackedRecord, recordOf, schema } from '../record-text.ts'
import { contentsOf } from './contents.ts'
import { isObject, kindOf, mismatch } from './shape.ts'

/** @throws BadInputError with the file and its fault */
export function readRecord(file: string): BenchmarkRecord {
  const value = parsed(file)
  const fault = faultOf(value)
  if (fault !== undefined) throw new BadInputError(`"${file}" is not a record of this benchmark: ${fault}`)
  return recordOf(value as PackedRecord)
}

function parsed(file: string): unknown {
  const text = contentsOf(file).toString('utf8')
  try {
    return JSON.parse(text)
  } catch {
    throw new BadInputError(`"${file}" is not a record of this benchmark: expected JSON`)
  }
}

const recordShape = {
  command: 'string',
  kind: 'string',
  date: 'string',
  machine: 'object',
  environments: 'array',
  problems: 'array',
  devices: 'array',
  contenders: 'array',
  rows: 'array',
} as const
const problemShape = {
  name: 'string',
  workload: 'string',
  targets: 'number',
  sources: 'number',
  interactions: 'number',
} as const
const deviceShape = { device: 'string', kind: 'string' } as const
const contenderShape = { name: 'string', rival: 'boolean', precision: 'string', on: 'number' } as const

/** The first difference between the value and a file of a record. */
function faultOf(value: unknown): string | undefined {
  if (!isObject(value)) return 'expected an object'
  if (value.schema !== schema) return `expected schema ${schema}, got ${JSON.stringify(value.schema) ?? 'none'}`
  const record = mismatch(value, recordShape, '')
  if (record !== undefined) return record
  const file = value as Readonly<Record<List, readonly unknown[]>>
  return (
    firstFault(file, 'problems', (problem, at) => mismatch(problem, problemShape, `${at}.`)) ??
    firstFault(file, 'devices', (device, at) => mismatch(device, deviceShape, `${at}.`)) ??
    firstFault(file, 'contenders', (contender, at) => contenderFault(file, contender, at)) ??
    firstFault(file, 'rows', (row, at) => rowFault(file, row, at))
  )
}

type List = 'environments' | 'problems' | 'devices' | 'contenders' | 'rows'
type Lists = Readonly<Record<List, readonly unknown[]>>

function firstFault(file: Lists, list: List, faultOf: (value: unknown, at: string) => string | undefined) {
  for (const [n, value] of file[list].entries()) {
    const fault = faultOf(value, `${list}[${n}]`)
    if (fault !== undefined) return fault
  }
  return undefined
}

function contenderFault(file: Lists, contender: unknown, at: string): string | undefined {
  const fault = mismatch(contender, contenderShape, `${at}.`)
  return fault ?? placeFault(file, 'devices', (contender as { readonly on: number }).on, `${at}.on`)
}

function rowFault(file: Lists, row: unknown, at: string): string | undefined {
  if (!Array.isArray(row)) return `${at} expected array, got ${kindOf(row)}`
  const [environment, problem, contender, outcome] = row as readonly unknown[]
  const place =
    placeFault(file, 'environments', environment, `${at}[0]`) ??
    placeFault(file, 'problems', problem, `${at}[1]`) ??
    placeFault(file, 'contenders', contender, `${at}[2]`)
  if (place !== undefined) return place
  if (!isObject(outcome)) return `${at}[3] expected object, got ${kindOf(outcome)}`
  return typeof outcome.refused === 'string' ? undefined : measuredFault(outcome, `${at}[3].`)
}

function placeFault(file: Lists, list: List, place: unknown, at: string): string | undefined {
  const { length } = file[list]
  if (Number.isInteger(place) && Number(place) >= 0 && Number(place) < length) return undefined
  return `${at} expected a place in the ${length} ${list}, got ${JSON.stringify(place) ?? 'nothing'}`
}

function measuredFault(outcome: Readonly<Record<string, unknown>>, at: string): string | undefined {
  return (
    mismatch(outcome, { call: 'array', error: 'object' }, at) ??
    ((outcome.call as readonly unknown[]).length === 4 && (outcome.call as readonly unknown[]).every(Number.isFinite)
      ? undefined
      : `${at}call expected 4 numbers, got ${JSON.stringify(outcome.call)}`) ??
    mismatch(outcome.error, { max: 'number' }, `${at}error.`)
  )
}
