// Reports of sums with a tolerance: their table, their findings and their plots are about errors and costs, not about rates.

import { parseHTML } from 'linkedom'
import { expect, test } from 'vitest'
import type { BenchmarkRecord, Measured, Row } from '../../../bench/src/record.ts'
import { costLines, nameOfLine } from '../../../bench/src/report/costs.ts'
import { htmlReport } from '../../../bench/src/report/html/report.ts'
import { toleranceMarkdown, toleranceTable } from '../../../bench/src/report/tolerance-tables.ts'
import { callsWithTolerance } from '../../../bench/src/report/tolerances.ts'
import { costPlot } from '../../../bench/src/tree/plot.ts'
import { sampleRecords, times } from '../../support/sample-records.ts'
import { told } from '../../support/told.ts'

const [usual, mesh] = ['tree (simplex, opening 0.4), 2 threads', 'mesh (reach 0.2, cells 32), 2 threads']

function sum(name: string, variant: string, ms: number, p99: number, more: Partial<Measured> = {}): Row {
  return {
    environment: 'Node 20',
    problem: { name: 'cube', workload: 'coulomb in cube', targets: 4000, sources: 4000, dimension: 3, seed: 1 },
    contender: { name, variant, rival: name === 'ngraph', device: 'a processor', kind: 'cpu', precision: 'f32' },
    interactions: 16e6,
    outcome: {
      call: times(ms),
      interactionsPerSecond: 16e9 / ms,
      error: { max: 3 * p99, p99, accumulation: 'block', bound: 1e-2, sampled: 512 },
      ...more,
    },
  }
}

const rows = [
  sum('all pairs', 'pairs-once', 100, 1e-7),
  sum('cpu-wasm, tolerance 0.01', usual, 5, 4e-3, { first: 300, evaluated: 4e5 }),
  sum('cpu-wasm, tolerance 0.001', usual, 10, 4e-4),
  sum('cpu-wasm, mesh, tolerance 0.001', mesh, 4, 5e-4),
  sum('manybody/d3, tolerance 0.01', usual, 6, 5e-3),
  sum('ngraph', 'tree, theta 0.5', 80, 2e-2),
]
const sums = callsWithTolerance(rows)
const [sample] = sampleRecords() as [BenchmarkRecord]
const record: BenchmarkRecord = { ...sample, kind: 'tree', rows }

test('a report of tolerances has the lines of the terminal, and finds no contender fastest', () => {
  const page = parseHTML(htmlReport(record)).document
  const cellsOf = (row: Element) => [...row.querySelectorAll('th, td')].map((cell) => cell.textContent)
  const table = page.querySelector('table:has(caption)') as Element
  const [head = [], first] = [...table.querySelectorAll('tr')].map(cellsOf)
  expect(head).toEqual(expect.arrayContaining(['tolerance or rival', 'first', 'faster', 'pairs', 'p99', 'largest']))
  expect(first).toEqual([
    'coulomb, cube, 4000',
    ...['0.01', 'simplex, opening 0.4', '5', '300', '20.0x', '100', '4.0e-3', '1.2e-2'],
  ])
  const findings = page.querySelector('.findings')?.textContent ?? ''
  expect(findings).toContain(
    'coulomb in cube, N = 4000: a tolerance of 0.01 by cpu-wasm takes 5.00 ms, 20.0 times as fast as all pairs; ',
  )
  expect(findings).toContain(
    '; an error of 2.0e-2 by ngraph, theta 0.5, takes 80.0 ms, 1.25 times as fast as all pairs.',
  )
  expect(page.body.textContent).not.toMatch(/is fastest|We lose|of our best|cube of cube/)
  expect([...page.querySelectorAll('figure h2')].map((title) => title.textContent)).toEqual([
    'Time by error: coulomb, N = 4000',
  ])
})

test('Markdown has the same columns', async () => {
  expect(toleranceMarkdown(record)).toMatch(
    /\n\| coulomb, cube, 4000 +\| 0\.01 +\| simplex, opening 0\.4 +\| 5 +\| 300 +\| 20\.0x +\| 100 +\| 4\.0e-3 +\| 1\.2e-2 +\|\n/,
  )
  const problem = ['--sizes', '64', '--laws', 'gravity', '--sets', 'cube', '--tolerances', '1e-2', '--no-rivals']
  const { stdout } = await told('tree', ...problem, '--duration', '0.01', '--markdown')
  expect(stdout).toMatch(/\n\| law, set, points +\| tolerance or rival +\|.* p99 +\| largest +\|\n/)
})

test('a refusal names its law and points if there are several', () => {
  const refused = (workload: string, reason: string): Row => {
    const [row] = rows as [Row]
    return { ...row, problem: { ...row.problem, workload }, outcome: { refused: reason } }
  }
  const [one, other] = [refused('gravity in cube', 'wrong answer: off'), refused('layout in cube', 'not installed')]
  for (const print of [toleranceTable, toleranceMarkdown]) {
    const text = print({ ...record, rows: [...rows, one, other, { ...other, problem: one.problem }] })
    expect(text).toContain('No figure for all pairs in Node 20, gravity in cube: wrong answer: off')
    expect(text).toContain('No figure for all pairs in Node 20, 2 problems: not installed')
  }
})

test('each method has a line of its own, and only rivals are dashed', () => {
  const lines = costLines(sums).map((line) => [nameOfLine(line), line.rival, line.points.length])
  expect(lines).toEqual([
    ['cube', false, 2],
    ['mesh, cube', false, 1],
    ['manybody/d3, cube', false, 1],
    ['ngraph, cube', true, 1],
  ])
  // A line needs two points.
  const more = [
    ...rows,
    sum('ngraph', 'tree, theta 0.8', 40, 5e-2),
    sum('manybody/d3, tolerance 0.001', usual, 9, 5e-4),
  ]
  const { document } = parseHTML(`<html><body>${costPlot(callsWithTolerance(more))}</body></html>`)
  const drawn = [...document.querySelectorAll('g[aria-label="line"] > g')]
  const dashes = drawn.flatMap((group) =>
    [...group.querySelectorAll('path')].map(() => group.getAttribute('stroke-dasharray')),
  )
  expect(dashes).toEqual([null, null, null, '4 3'])
  const names = [...document.querySelectorAll('text')].map((text) => text.textContent)
  expect(names).toEqual(expect.arrayContaining(['cube', 'mesh, cube', 'manybody/d3, cube', 'ngraph, cube']))
})
