/** The newest record of the WebGL ladder for each renderer, checked: a page must not quote half a measurement. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LadderRecord, LadderRow } from '../../packages/backend-webgl/bench/ladder-record.ts'
import { mismatch } from '../src/node/shape.ts'

/** With the names of their files. @throws TypeError naming a file that is no such record, and what is wrong with it */
export function newestLadders(folder: string): readonly (readonly [name: string, record: LadderRecord])[] {
  const records = (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => name.endsWith('.json'))
    .map((name) => [name, readLadder(join(folder, name), name)] as const)
    .sort(([, a], [, b]) => a.date.localeCompare(b.date))
  return [...new Map(records.map(([name, record]) => [record.renderer, [name, record] as const])).values()]
}

function readLadder(file: string, name: string): LadderRecord {
  const record: unknown = JSON.parse(readFileSync(file, 'utf8'))
  const fault = faultOf(record)
  if (fault !== undefined) throw new TypeError(`${name} is no record of the WebGL ladder: ${fault}`)
  return record as LadderRecord
}

const recordShape = {
  command: 'string',
  date: 'string',
  browser: 'string',
  renderer: 'string',
  machine: 'object',
  rows: 'array',
} as const
const rowShape = {
  context: 'string',
  points: 'number',
  rounds: 'number',
  bound: 'number',
  times: 'object',
  parts: 'object',
} as const
const rungs = ['naive', 'expert', 'texture-loop'] as const
const partShape = { upload: 'number', compute: 'number', readback: 'number' } as const

function faultOf(value: unknown): string | undefined {
  const shape = mismatch(value, recordShape, '')
  if (shape !== undefined) return shape
  const { machine, rows } = value as LadderRecord
  const fault = mismatch(machine, { cpu: 'string', cores: 'number' }, 'machine.')
  if (fault !== undefined) return fault
  if (rows.length === 0) return 'rows expected some, got none'
  const faults = rows.map((row, n) => rowFault(row, `rows[${n}]`))
  return faults.find((one) => one !== undefined) ?? missingRow(rows)
}

function rowFault(row: LadderRow, at: string): string | undefined {
  const fault =
    mismatch(row, rowShape, `${at}.`) ??
    rungs
      .map((rung) => mismatch(row.times[rung], { ms: 'number', error: 'number' }, `${at}.times.${rung}.`))
      .find((one) => one !== undefined) ??
    mismatch(row.parts, partShape, `${at}.parts.`)
  if (fault !== undefined) return fault
  const { error } = row.times['texture-loop']
  return error < row.bound ? undefined : `${at} expected an error below ${row.bound}, got ${error}`
}

/** Every context is measured at every size, once. */
function missingRow(rows: readonly LadderRow[]): string | undefined {
  for (const context of new Set(rows.map((row) => row.context)))
    for (const points of new Set(rows.map((row) => row.points))) {
      const count = rows.filter((row) => row.context === context && row.points === points).length
      if (count !== 1) return `rows expected one of ${context} at ${points} points, got ${count}`
    }
  return undefined
}
