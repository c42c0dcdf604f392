// Two records side by side: which rows are joined, when there is a verdict, which findings are stressed; and files that are not records.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { BadInputError } from '../../../bench/src/errors.ts'
import { readRecord } from '../../../bench/src/node/record-file.ts'
import { type BenchmarkRecord, isMeasured, type Row } from '../../../bench/src/record.ts'
import { textOf } from '../../../bench/src/record-text.ts'
import { difference } from '../../../bench/src/report/difference.ts'
import { differenceTable } from '../../../bench/src/report/difference-table.ts'
import { sampleRecords, times } from '../../support/sample-records.ts'
import { told } from '../../support/told.ts'

const folder = mkdtempSync(join(tmpdir(), 'manybody-records-'))
afterAll(() => rmSync(folder, { recursive: true }))

const [compare, , , sweep] = sampleRecords() as readonly [
  BenchmarkRecord,
  BenchmarkRecord,
  BenchmarkRecord,
  BenchmarkRecord,
]
const measured = { ...compare, rows: compare.rows.slice(0, 6) }
const packed = JSON.parse(textOf(measured))

/** The same record with calls that take `factor` times as long. */
function slower(record: BenchmarkRecord, factor: number): BenchmarkRecord {
  return { ...record, rows: record.rows.map((row) => withCall(row, factor)) }
}

function withCall(row: Row, factor: number): Row {
  if (!('call' in row.outcome)) return row
  return { ...row, outcome: { ...row.outcome, call: times(row.outcome.call.median * factor) } }
}

test('every row is matched with itself', () => {
  const { pairs, onlyFirst, onlySecond, warnings } = difference(measured, measured)
  expect(pairs.every(({ first, second }) => first === second)).toBe(true)
  expect([pairs.length, onlyFirst, onlySecond, warnings]).toEqual([6, [], [], []])
})

test('there is a verdict only if the quartiles do not overlap', () => {
  const verdicts = (factor: number) =>
    difference(measured, slower(measured, factor)).pairs.map(({ speed }) => speed?.verdict)
  expect(new Set(verdicts(1.02))).toEqual(new Set(['undecided']))
  expect(new Set(verdicts(1.5))).toEqual(new Set(['slower']))
  expect(new Set(verdicts(0.5))).toEqual(new Set(['faster']))
})

test('the ratio is that of the medians, with the spread of both', () => {
  const [pair] = difference(measured, slower(measured, 2)).pairs
  expect(pair?.speed?.ratio).toBeCloseTo(0.5, 12)
  expect(pair?.speed?.low).toBeCloseTo((1 - 0.35 * 0.06) / (2 * (1 + 0.5 * 0.06)), 12)
  expect(pair?.speed?.high).toBeCloseTo((1 + 0.5 * 0.06) / (2 * (1 - 0.35 * 0.06)), 12)
})

test('rows of only one record are listed, and swept variants are not mixed up', () => {
  const shuffled = { ...sweep, rows: sweep.rows.toReversed().slice(1) }
  const { pairs, onlyFirst, onlySecond } = difference(sweep, shuffled)
  expect(pairs.length).toBe(sweep.rows.length - 1)
  expect(pairs.every(({ first, second }) => first === second)).toBe(true)
  expect(onlyFirst).toEqual(sweep.rows.slice(-1))
  expect(onlySecond).toEqual([])
  expect(differenceTable(difference(sweep, shuffled))).toContain(
    'Only in the first: webgpu, f32, sliced (workgroup 1024)',
  )
})

test('a contender that lost its figure is still matched with its row', () => {
  const rows = measured.rows.map((row) => ({ ...row, outcome: { refused: 'device lost' } }))
  const { pairs } = difference(measured, { ...measured, rows })
  expect(pairs.map(({ speed }) => speed)).toEqual(Array(6).fill(undefined))
})

test('differences in machine, device, version and load, and incomplete records, are reported first', () => {
  const other = {
    ...measured,
    partial: 'interrupted',
    machine: { ...measured.machine, cpu: 'Other CPU', load: 7 },
    environments: measured.environments.map((one) => ({ ...one, name: one.name.replace('20.20.2', '24.1.0') })),
    rows: measured.rows.map((row) => ({
      ...row,
      environment: row.environment.replace('20.20.2', '24.1.0'),
      contender: { ...row.contender, device: 'Other device' },
    })),
  }
  const { warnings, pairs } = difference(measured, other)
  expect(pairs.length).toBe(6)
  expect(warnings).toContain(
    'DIFFERENT MACHINES: first cpu Example CPU 3000; second cpu Other CPU. Ratios compare machines, not versions.',
  )
  expect(warnings).toContain('The second record is incomplete: interrupted.')
  expect(warnings).toContain('The second record is of a busy machine: load 7 on 8 cores.')
  expect(warnings).toContain('Node 20.20.2 is compared with Node 24.1.0.')
  expect(warnings.filter((text) => text.startsWith('DIFFERENT DEVICES'))).toHaveLength(5)
  expect(differenceTable(difference(measured, other))).toMatch(/^! DIFFERENT MACHINES/)
})

const file = (name: string, content: string): string => {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

test('the command prints the table', async () => {
  const { code, stdout } = await told(
    'compare-records',
    file('a.json', textOf(measured)),
    file('b.json', textOf(slower(measured, 0.5))),
  )
  expect(code).toBe(0)
  expect(stdout).toContain('The second is faster in 6, slower in 0')
})

test.each(sampleRecords().map((record) => [record.kind, record] as const))(
  'a file holds all of a record of %s',
  (kind, record) => {
    const fiveDigits = (_: string, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(5)) : value)
    const rows = record.rows.map((row) => {
      if (!isMeasured(row.outcome)) return row
      const error = JSON.parse(JSON.stringify(row.outcome.error, fiveDigits))
      return { ...row, outcome: { ...row.outcome, error } }
    })
    expect(readRecord(file(`${kind}.json`, textOf(record)))).toEqual({ ...record, rows })
  },
)

test.each([
  ['no-json.json', 'N = 4096', 'expected JSON'],
  ['list.json', '[]', 'expected an object'],
  ['other.json', '{"name": "manybody"}', 'expected schema 2, got none'],
  ['future.json', '{"schema": 1}', 'expected schema 2, got 1'],
  ['rows.json', JSON.stringify({ ...packed, rows: 3 }), 'rows expected array, got number'],
  ['row.json', JSON.stringify({ ...packed, rows: [[0, 0, 0, {}]] }), 'rows[0][3].call expected array, got nothing'],
  [
    'place.json',
    JSON.stringify({ ...packed, rows: [[0, 9, 0, {}]] }),
    'rows[0][1] expected a place in the 1 problems, got 9',
  ],
])('%s is rejected as a record, with the reason', (name, content, reason) => {
  const path = file(name, content)
  expect(() => readRecord(path)).toThrow(new BadInputError(`"${path}" is not a record of this benchmark: ${reason}`))
})

test('a file that is missing, or not a record, is reported in one line with exit code 2', async () => {
  const none = await told('compare-records', file('none.json', '[]'), 'b.json')
  expect(none.stderr).toMatch(/^bench: ".*none\.json" is not a record of this benchmark: expected an object\n$/)
  expect(none.code).toBe(2)
  const nowhere = await told('compare-records', join(folder, 'nowhere.json'), 'b.json')
  expect(nowhere.stderr).toMatch(/^bench: ".*nowhere\.json" cannot be read: there is no such file\n$/)
  expect(nowhere.code).toBe(2)
})
