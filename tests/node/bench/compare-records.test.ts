// Two records side by side: which rows are joined, when there is a verdict, which findings are stressed; and files that are not records.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { BadInputError } from '../../../bench/src/errors.ts'
import { readRecord } from '../../../bench/src/node/record-file.ts'
import { type BenchmarkRecord, isMeasured } from '../../../bench/src/record.ts'
import { textOf } from '../../../bench/src/record-text.ts'
import { difference } from '../../../bench/src/report/difference.ts'
import { differenceTable } from '../../../bench/src/report/difference-table.ts'
import { sampleOf, sampleRecords, times } from '../../support/sample-records.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { told } from '../../support/told.ts'

const folder = temporaryFolder('records')
const file = (name: string, content: string): string => {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

const [compare, sweep] = [sampleOf('compare'), sampleOf('sweep')]
const measured = { ...compare, rows: compare.rows.slice(0, 6) }

/** The same record with calls that take `factor` times as long. */
const slower = (record: BenchmarkRecord, factor: number): BenchmarkRecord => ({
  ...record,
  rows: record.rows.map((row) =>
    isMeasured(row.outcome)
      ? { ...row, outcome: { ...row.outcome, call: times(row.outcome.call.median * factor) } }
      : row,
  ),
})

test('there is a verdict only if the quartiles do not overlap', () => {
  for (const [factor, verdict] of [
    [1, 'undecided'],
    [1.02, 'undecided'],
    [0.98, 'undecided'],
    [1.5, 'slower'],
    [0.5, 'faster'],
  ] as const) {
    const { pairs, ...rest } = difference(measured, slower(measured, factor))
    expect(pairs.map(({ speed }) => speed?.verdict)).toEqual(Array(6).fill(verdict))
    expect(pairs.every(({ first, second }) => first.contender === second.contender)).toBe(true)
    expect(rest).toEqual({ onlyFirst: [], onlySecond: [], warnings: [] })
  }
})

test('the ratio is that of the medians, with the spread of both', () => {
  const [pair] = difference(measured, slower(measured, 2)).pairs
  expect(pair?.speed?.ratio).toBeCloseTo(0.5, 12)
  expect(pair?.speed?.low).toBeCloseTo((1 - 0.35 * 0.06) / (2 * (1 + 0.5 * 0.06)), 12)
  expect(pair?.speed?.high).toBeCloseTo((1 + 0.5 * 0.06) / (2 * (1 - 0.35 * 0.06)), 12)
})

test('rows of only one record are listed, and swept variants are not mixed up', () => {
  const found = difference(sweep, { ...sweep, rows: sweep.rows.toReversed().slice(1) })
  expect(found.pairs.length).toBe(sweep.rows.length - 1)
  expect(found.pairs.every(({ first, second }) => first === second)).toBe(true)
  expect([found.onlyFirst, found.onlySecond]).toEqual([sweep.rows.slice(-1), []])
  expect(differenceTable(found)).toContain('Only in the first: webgpu, f32, sliced (workgroup 1024)')
})

test('a contender that lost its figure is still matched with its row', () => {
  const rows = measured.rows.map((row) => ({ ...row, outcome: { refused: 'device lost' } }))
  const { pairs } = difference(measured, { ...measured, rows })
  expect(pairs.map(({ speed }) => speed)).toEqual(Array(6).fill(undefined))
})

test('differences in machine, device, version and load, and incomplete records, are reported first', () => {
  const later = (name: string) => name.replace('20.20.2', '24.1.0')
  const found = difference(measured, {
    ...measured,
    partial: 'interrupted',
    machine: { ...measured.machine, cpu: 'Other CPU', load: 7 },
    environments: measured.environments.map((one) => ({ ...one, name: later(one.name) })),
    rows: measured.rows.map(({ environment, contender, ...row }) => ({
      ...row,
      environment: later(environment),
      contender: { ...contender, device: 'Other device' },
    })),
  })
  expect(found.pairs.length).toBe(6)
  expect(found.warnings).toEqual(
    expect.arrayContaining([
      'DIFFERENT MACHINES: first cpu Example CPU 3000; second cpu Other CPU. Ratios compare machines, not versions.',
      'The second record is incomplete: interrupted.',
      'The second record is of a busy machine: load 7 on 8 cores.',
      'Node 20.20.2 is compared with Node 24.1.0.',
    ]),
  )
  expect(found.warnings.filter((text) => text.startsWith('DIFFERENT DEVICES'))).toHaveLength(5)
  expect(differenceTable(found)).toMatch(/^! DIFFERENT MACHINES/)
})

test('the command prints the table', async () => {
  const files = [measured, slower(measured, 0.5)].map((record, n) => file(`${n}.json`, textOf(record)))
  const { code, stdout } = await told('compare-records', ...files)
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
    const lacking = record.rows.map((row) => ({ ...row, outcome: { ...row.outcome, first: undefined as never } }))
    expect(readRecord(file(`${kind}-2.json`, textOf({ ...record, rows: lacking }))).rows).toHaveLength(rows.length)
  },
)

const packed = JSON.parse(textOf(measured))
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
  const paths = { [file('none.json', '[]')]: 'is not a record of this benchmark: expected an object' }
  for (const [path, fault] of Object.entries({ ...paths, nowhere: 'cannot be read: there is no such file' }))
    expect(await told('compare-records', path, 'b.json')).toMatchObject({
      code: 2,
      stderr: `bench: "${path}" ${fault}\n`,
    })
})
