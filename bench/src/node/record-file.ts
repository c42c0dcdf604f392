/** Reads a record from a file and checks it, so that reports can rely on its shape. */

import { BadInputError } from '../errors.ts'
import type { BenchmarkRecord } from '../record.ts'
import { contentsOf } from './contents.ts'
import { isObject, kindOf, mismatch } from './shape.ts'

/** @throws BadInputError with the file and its fault */
export function readRecord(file: string): BenchmarkRecord {
  const value = parsed(file)
  const fault = faultOf(value)
  if (fault !== undefined) throw new BadInputError(`"${file}" is not a record of this benchmark: ${fault}`)
  return value as BenchmarkRecord
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
  rows: 'array',
} as const
const rowShape = {
  environment: 'string',
  problem: 'object',
  contender: 'object',
  interactions: 'number',
  outcome: 'object',
} as const
const problemShape = { name: 'string', workload: 'string', targets: 'number', sources: 'number' } as const
const contenderShape = {
  name: 'string',
  rival: 'boolean',
  device: 'string',
  kind: 'string',
  precision: 'string',
} as const
const timesShape = { samples: 'array', median: 'number', lowerQuartile: 'number', upperQuartile: 'number' } as const

/** The first difference between the value and a record. */
function faultOf(value: unknown): string | undefined {
  if (!isObject(value)) return 'expected an object'
  if (value.schema !== 1) return `expected schema 1, got ${JSON.stringify(value.schema) ?? 'none'}`
  const record = mismatch(value, recordShape, '')
  if (record !== undefined) return record
  for (const [i, row] of (value.rows as readonly unknown[]).entries()) {
    const fault = rowFault(row, `rows[${i}]`)
    if (fault !== undefined) return fault
  }
  return undefined
}

function rowFault(row: unknown, at: string): string | undefined {
  if (!isObject(row)) return `${at} expected object, got ${kindOf(row)}`
  const parts = mismatch(row, rowShape, `${at}.`)
  if (parts !== undefined) return parts
  const outcome = row.outcome as Readonly<Record<string, unknown>>
  return (
    mismatch(row.problem, problemShape, `${at}.problem.`) ??
    mismatch(row.contender, contenderShape, `${at}.contender.`) ??
    (typeof outcome.refused === 'string' ? undefined : measuredFault(outcome, `${at}.outcome.`))
  )
}

function measuredFault(outcome: Readonly<Record<string, unknown>>, at: string): string | undefined {
  return (
    mismatch(outcome, { call: 'object', interactionsPerSecond: 'number', error: 'object' }, at) ??
    mismatch(outcome.call, timesShape, `${at}call.`) ??
    mismatch(outcome.error, { max: 'number' }, `${at}error.`)
  )
}
