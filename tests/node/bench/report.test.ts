// The HTML report of records of every kind: complete, self-contained, honest about software, and safe from the text that it quotes.

import { parseHTML } from 'linkedom'
import { describe, expect, test } from 'vitest'
import { type BenchmarkRecord, kinds, type Row } from '../../../bench/src/record.ts'
import { crossovers } from '../../../bench/src/report/crossovers.ts'
import { htmlReport } from '../../../bench/src/report/html/report.ts'
import { type MeasuredRow, seriesOf } from '../../../bench/src/report/series.ts'
import { comparison, markdown } from '../../../bench/src/report/tables.ts'
import { sampleRecords, times } from '../../support/sample-records.ts'

const records = sampleRecords()
const recordOf = (kind: BenchmarkRecord['kind']): BenchmarkRecord => {
  const record = records.find((one) => one.kind === kind)
  if (!record) throw new Error(`expected a sample of ${kind}`)
  return record
}
const isMeasured = (row: Row): row is MeasuredRow => 'call' in row.outcome
const pageOf = (record: BenchmarkRecord): Document => parseHTML(htmlReport(record)).document
const textOf = (record: BenchmarkRecord): string => (pageOf(record).body.textContent ?? '').replace(/\s+/g, ' ')

test('there is a sample record of every kind', () => {
  expect(records.map(({ kind }) => kind).sort()).toEqual(kinds.toSorted())
})

describe.each(records.map((record) => [record.kind, record] as const))('the report of %s', (_, record) => {
  test('needs no script and no network, and is the same each time', () => {
    const text = htmlReport(record)
    expect(text).not.toMatch(/<script|<link|<img|@import|url\(|src=/)
    const addresses = text.match(/https?:\/\/[^"\s<]+/g) ?? []
    expect(addresses.filter((address) => !address.startsWith('http://www.w3.org/'))).toEqual([])
    expect(htmlReport(record)).toBe(text)
  })

  test('has the machine, the command, a plot for wide and narrow screens, and a row for every figure', () => {
    const page = pageOf(record)
    expect(page.querySelector('header')?.textContent).toContain(record.machine.cpu)
    expect(page.querySelector('header code')?.textContent).toBe(record.command)
    expect(page.querySelectorAll('.wide svg').length).toBeGreaterThan(0)
    expect(page.querySelectorAll('.wide svg').length).toBe(page.querySelectorAll('.narrow svg.plot').length)
    // Sums with a tolerance say how much faster than all pairs they are.
    const shown = record.rows
      .filter(isMeasured)
      .filter(({ contender }) => contender.name !== 'all pairs' || record.kind !== 'tree')
    expect(page.querySelectorAll('table:has(caption) tbody tr').length).toBe(shown.length)
  })

  test('has no plot with a missing coordinate', () => {
    expect(htmlReport(record)).not.toMatch(/NaN|Infinity|undefined|\[object/)
  })
})

test('software devices are marked at the top and in the plots', () => {
  const text = textOf(recordOf('compare'))
  expect(text).toContain('Software devices: webgl.')
  expect(text).toContain('webgl (software)')
})

test('refusals are listed with their reasons and without figures', () => {
  const text = textOf(recordOf('rivals'))
  expect(text).toContain('wrong answer: largest error 0.31, bound 1.2e-6')
  expect(text).toContain('has no softened gravity: its law is fixed')
})

test('a problem that is too slow is listed once, with its fewest points', () => {
  const text = textOf(recordOf('scale'))
  expect(text.match(/one call would take/g)).toHaveLength(1)
  expect(text).toContain('reference plain, accelerations of gravity, N = 32768 and more, ')
})

test('bars of one unit share a scale, so that problems may be compared', () => {
  const record = recordOf('compare')
  const [row] = record.rows.filter(isMeasured)
  if (!row) throw new Error('expected a measured row')
  const slower = { ...row.outcome, interactionsPerSecond: row.outcome.interactionsPerSecond / 4, call: times(1000) }
  const second = { ...row, problem: { ...row.problem, targets: 100, sources: 100 }, outcome: slower }
  const plots = [...pageOf({ ...record, rows: [row, second] }).querySelectorAll('.narrow svg.plot')]
  expect(plots).toHaveLength(2)
  const ticks = plots.map((plot) =>
    [...plot.querySelectorAll('[aria-label="x-axis tick label"] text')].map((tick) => tick.textContent),
  )
  expect(ticks[0]?.length).toBeGreaterThan(1)
  expect(ticks[1]).toEqual(ticks[0])
})

test('Markdown for an issue has the machine, the command, every column, and refusals', () => {
  const record = recordOf('rivals')
  const text = markdown(record)
  expect(text).toContain(`- ${record.machine.cpu}`)
  expect(text).toContain(`\`${record.command}\``)
  expect(text).toMatch(
    /^\| contender +\| in +\| on +\| loop +\| threads +\| call +\| quartiles +\|.* error +\| allowed +\|$/m,
  )
  const lines = text.split('\n').filter((line) => line.startsWith('| '))
  const problems = new Set(record.rows.map(({ problem }) => JSON.stringify(problem))).size
  expect(lines).toHaveLength(record.rows.filter(isMeasured).length + 2 * problems)
  expect(text).toContain('wrong answer: largest error 0.31, bound 1.2e-6')
})

test('the report says where rivals are faster', () => {
  expect(textOf(recordOf('rivals'))).toContain(
    'We lose at N = 1024: C, gcc -O3 AVX2 is 2.32 times as fast as our best, cpu-wasm.',
  )
})

test('an incomplete record is marked as incomplete', () => {
  expect(textOf(recordOf('sweep'))).toContain('Incomplete: interrupted.')
})

test('texts of a record are never used as markup', () => {
  const record = { ...recordOf('compare'), command: '<img src=x onerror=alert(1)>', partial: '<b>"&' }
  const rows = record.rows.map((row) => ({ ...row, problem: { ...row.problem, name: '<script>' } }))
  const page = pageOf({ ...record, rows })
  expect(page.querySelectorAll('img, script, b').length).toBe(0)
  expect(page.querySelector('header code')?.textContent).toBe(record.command)
})

test('a record without figures still makes a report', () => {
  const rows = recordOf('scale').rows.map((row) => ({ ...row, outcome: { refused: 'no device' } }))
  for (const kind of records.map((record) => record.kind)) {
    expect(textOf({ ...recordOf(kind), rows })).toContain('No figure: nothing gave a right answer.')
  }
})

test('contenders with the same name are distinguished only by what differs', () => {
  expect(seriesOf(recordOf('compare').rows.slice(0, 6)).map(({ label }) => label)).toEqual([
    'webgpu, Node',
    'webgpu, Chromium',
    'webgl',
    'cpu-wasm, f32',
    'cpu-wasm, f64',
    'reference',
  ])
})

test('a crossover is where the lines cross, and a contender that never leads has none', () => {
  const times = (name: string, of: (n: number) => number) =>
    [100, 400, 1600].map((targets) => withTime(name, targets, of(targets)))
  const rows = [...times('flat', () => 8), ...times('steep', (n) => n / 100), ...times('never', (n) => n / 10 + 10)]
  expect(crossovers(seriesOf(rows))).toEqual([{ at: 800, winner: 'flat', loser: 'steep' }])
})

test('a lead within the quartiles does not count as a crossover', () => {
  const noisy = [...timed('a', () => 8, 0.5), ...timed('b', (n) => 7 + n / 800, 0.5)]
  expect(crossovers(seriesOf(noisy))).toEqual([])
})

function timed(name: string, of: (n: number) => number, spread?: number): readonly Row[] {
  return [100, 400, 1600].map((targets) => withTime(name, targets, of(targets), spread))
}

function withTime(name: string, targets: number, median: number, spread = 0.01): Row {
  const [row] = recordOf('scale').rows
  if (!row || !('call' in row.outcome)) throw new Error('expected a measured row')
  const call = times(median, spread)
  return {
    ...row,
    problem: { ...row.problem, targets },
    contender: { ...row.contender, name },
    outcome: { ...row.outcome, call },
  }
}

test('a table for a narrow terminal has fewer columns, and names the others', () => {
  const columns = process.stdout.columns
  try {
    process.stdout.columns = 80
    const lines = comparison(recordOf('compare')).split('\n')
    expect(Math.max(...lines.filter((line) => line.startsWith('│')).map((line) => line.length))).toBeLessThanOrEqual(80)
    expect(lines.filter((line) => /^A wider terminal, and --html, also show: .*loop/.test(line))).toHaveLength(1)
    process.stdout.columns = 300
    expect(comparison(recordOf('compare'))).not.toContain('A wider terminal')
  } finally {
    process.stdout.columns = columns
  }
})
