// Two records side by side: which rows are joined, when there is a verdict, which findings are stressed; and files that are not records.

import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { BadInputError } from '../../../bench/src/errors.ts'
import { readRecord } from '../../../bench/src/node/record-file.ts'
import { type BenchmarkRecord, isMeasured, type Row } from '../../../bench/src/record.ts'
import { textOf as textOfRecord } from '../../../bench/src/record-text.ts'
import { difference } from '../../../bench/src/report/difference.ts'
import { threeDigits } from '../../../bench/src/report/format.ts'
import { textOf } from '../../../bench/src/report/print.ts'
import { root } from '../../../tools/pnpm.mjs'
import { sampleOf, sampleRecords, times } from '../../support/sample-records.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { told } from '../../support/told.ts'

const folder = temporaryFolder('records')
const file = (name: string, content: string): string => {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

/** The records that are kept with the benchmark. */
const committed = ['records', 'gpu/records', 'tree/records', 'tree/errors', 'webgl/records'].flatMap((under) => {
  return readdirSync(join(root, 'bench', under)).map((name) => `bench/${under}/${name}`)
})

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

const isFigure = ({ outcome }: Row) => isMeasured(outcome)

/** The lines of the printed comparison. */
const compared = (first: BenchmarkRecord, second: BenchmarkRecord): readonly string[] =>
  difference(first, second).flatMap((section) => textOf(section).split('\n'))
const cellsOf = (lines: readonly string[]) =>
  lines.filter((line) => line.includes('gravity')).map((line) => line.split('│').map((cell) => cell.trim()))

test.each([
  [1, '1.00', 'quartiles overlap'],
  [1.02, '0.980', 'quartiles overlap'],
  [0.98, '1.02', 'quartiles overlap'],
  [1.5, '0.667', 'second is slower'],
  [0.5, '2.00', 'second is faster'],
])(
  'calls that take %f times as long: there is a verdict only if the quartiles do not overlap',
  (factor, ratio, verdict) => {
    const lines = compared(measured, slower(measured, factor))
    expect(cellsOf(lines).map((cells) => [cells[6], cells[8]])).toEqual(Array(6).fill([ratio, verdict]))
    expect(lines.join('\n')).not.toMatch(/!|Only in/)
    const spread = [(1 - 0.35 * 0.06) / (1 + 0.5 * 0.06), (1 + 0.5 * 0.06) / (1 - 0.35 * 0.06)]
    expect(cellsOf(lines)[0]?.[7]).toBe(spread.map((share) => threeDigits(share / factor)).join(' to '))
    const counts = ['second is faster', 'second is slower', 'quartiles overlap'].map((one) => (one === verdict ? 6 : 0))
    expect(lines.at(-3)).toMatch(
      new RegExp(`^The second is faster in ${counts[0]}, slower in ${counts[1]}, .* in ${counts[2]} of 6 rows\\.$`),
    )
  },
)

test('rows of only one record are listed, and swept variants are not mixed up', () => {
  const lines = compared(sweep, { ...sweep, rows: sweep.rows.toReversed().slice(1) })
  const verdicts = cellsOf(lines).filter((cells) => cells.length > 1)
  expect(verdicts).toHaveLength(sweep.rows.length - 1)
  expect(verdicts.filter((cells) => cells[6] === '1.00')).toHaveLength(sweep.rows.filter(isFigure).length)
  expect(lines.filter((line) => line.startsWith('Only in'))).toEqual([
    expect.stringMatching(/^Only in the first: webgpu, f32, sliced \(workgroup 1024\)/),
  ])
})

test('a contender that lost its figure is still matched with its row', () => {
  const rows = measured.rows.map((row) => ({ ...row, outcome: { refused: 'device lost' } }))
  const lines = compared(measured, { ...measured, rows })
  expect(cellsOf(lines).map((cells) => cells[8])).toEqual(Array(6).fill('no figure in one'))
  expect(lines.join()).toContain('of 6 rows; 6 have no figure in one of the two.')
})

test('differences in machine, device, version and load, and incomplete records, are reported first', () => {
  const later = (name: string) => name.replace('20.20.2', '24.1.0')
  const lines = compared(measured, {
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
  expect(cellsOf(lines)).toHaveLength(6)
  expect(lines.slice(0, 9)).toEqual([
    '! DIFFERENT MACHINES: first cpu Example CPU 3000; second cpu Other CPU. Ratios compare machines, not versions.',
    '! The second record is incomplete: interrupted.',
    '! The second record is of a busy machine: load 7 on 8 cores.',
    ...Array(5).fill(expect.stringMatching(/^! DIFFERENT DEVICES: \S+ ran on .*, then on Other device/)),
    '! Node 20.20.2 is compared with Node 24.1.0.',
  ])
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
    expect(readRecord(file(`${kind}.json`, textOfRecord(record)))).toEqual({ ...record, rows })
    const lacking = record.rows.map((row) => ({ ...row, outcome: { ...row.outcome, first: undefined as never } }))
    expect(readRecord(file(`${kind}-2.json`, textOfRecord({ ...record, rows: lacking }))).rows).toHaveLength(
      rows.length,
    )
  },
)

test.each(committed)('%s is a record', (path) => {
  expect(readRecord(join(root, path)).rows).not.toEqual([])
})

const packed = JSON.parse(textOfRecord(measured))
const changed = (parts: object): string => JSON.stringify({ ...packed, ...parts })
const withOutcome = (outcome: unknown): string => changed({ rows: [[0, 0, 0, outcome]] })
const faultOf = (outcome: object): string =>
  `rows[0] expected a call of 4 numbers and an error, or a refusal, got ${JSON.stringify(outcome)}`
test.each<[string, string, string]>([
  ['no-json.json', 'N = 4096', 'expected JSON'],
  ['other.json', '{"name": "manybody"}', 'expected schema 2, got none'],
  ['future.json', '{"schema": 1}', 'expected schema 2, got 1'],
  ['rows.json', changed({ rows: 3 }), 'rows expected array, got number'],
  ['date.json', changed({ date: null }), 'date expected string, got nothing'],
  ['machine.json', changed({ machine: undefined }), 'machine expected object, got nothing'],
  ['environment.json', changed({ environments: [{}] }), 'environments[0].name expected string, got nothing'],
  ['problem.json', changed({ problems: ['gravity'] }), 'problems[0].name expected string, got nothing'],
  ['contender.json', changed({ contenders: [{ name: 3 }] }), 'contenders[0].name expected string, got number'],
  ['number.json', changed({ rows: [3] }), 'rows[0] expected array, got number'],
  ['row.json', withOutcome({}), 'rows[0] expected a call of 4 numbers and an error, or a refusal, got {}'],
  ['text.json', withOutcome('fast'), 'rows[0][3] expected object, got string'],
  ...[[1, 2, 3], [1, 2, null, 3], [2, 3], 4].map((call, n): [string, string, string] => {
    const outcome = { call, error: { max: 0 } }
    return [`times-${n}.json`, withOutcome(outcome), faultOf(outcome)]
  }),
  ['error.json', withOutcome({ call: [1, 2, 3, 4], error: {} }), faultOf({ call: [1, 2, 3, 4], error: {} })],
  ['place.json', changed({ rows: [[0, 9, 0, {}]] }), 'rows[0] expected a place in the 1 problems, got 9'],
])('%s is rejected as a record, with the reason', (name, content, reason) => {
  const path = file(name, content)
  expect(() => readRecord(path)).toThrow(new BadInputError(`"${path}" is not a record of this benchmark: ${reason}`))
})

test('the command prints the table; a file that is missing is reported in one line with exit code 2', async () => {
  const files = [measured, slower(measured, 0.5)].map((record, n) => file(`${n}.json`, textOfRecord(record)))
  const { code, stdout } = await told('compare-records', ...files)
  expect(code).toBe(0)
  expect(stdout).toContain('The second is faster in 6, slower in 0')
  const stderr = 'bench: "nowhere" cannot be read: there is no such file\n'
  expect(await told('compare-records', 'nowhere', 'b.json')).toMatchObject({ code: 2, stderr })
})
