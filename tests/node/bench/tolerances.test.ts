// Reports of sums with a tolerance: their table, their findings and their plots are about errors and costs, not about rates.

import { parseHTML } from 'linkedom'
import { expect, test } from 'vitest'
import type { Measured, Row } from '../../../bench/src/record.ts'
import { costLines, nameOfLine } from '../../../bench/src/report/costs.ts'
import { htmlReport } from '../../../bench/src/report/html/report.ts'
import { toleranceMarkdown, toleranceTable } from '../../../bench/src/report/tolerance-tables.ts'
import { callsWithTolerance } from '../../../bench/src/report/tolerances.ts'
import { costPlot } from '../../../bench/src/tree/plot.ts'
import { measuredRow, sampleOf } from '../../support/sample-records.ts'

const [usual, mesh] = ['tree (simplex, opening 0.4), 2 threads', 'mesh (reach 0.2, cells 32), 2 threads']
const problem = { name: 'cube', workload: 'coulomb in cube' }

const sum = (name: string, variant: string, ms: number, p99: number, more: Partial<Omit<Measured, 'error'>> = {}) =>
  measuredRow(
    { name, variant, rival: name === 'ngraph' },
    { n: 4000, ms, problem, error: { max: 3 * p99, p99, bound: 1e-2 }, ...more },
  )

const rows: readonly Row[] = [
  sum('all pairs', 'pairs-once', 100, 1e-7),
  sum('cpu-wasm, tolerance 0.01', usual, 5, 4e-3, { first: 300, evaluated: 4e5 }),
  sum('cpu-wasm, tolerance 0.001', usual, 10, 4e-4),
  sum('cpu-wasm, mesh, tolerance 0.001', mesh, 4, 5e-4),
  sum('manybody/d3, tolerance 0.01', usual, 6, 5e-3),
  sum('ngraph', 'tree, theta 0.5', 80, 2e-2),
]
const record = { ...sampleOf('tree'), rows }

test('a report of tolerances has the columns of Markdown, and finds no contender fastest', () => {
  const page = parseHTML(htmlReport(record)).document
  const [head = [], first = []] = [...page.querySelectorAll('table:has(caption) tr')].map((row) =>
    [...row.querySelectorAll('th, td')].map((cell) => cell.textContent),
  )
  expect(first).toEqual([
    'coulomb, cube, 4000',
    ...['0.01', 'simplex, opening 0.4', '5', '300', '20.0x', '100', '4.0e-3', '1.2e-2'],
  ])
  const text = toleranceMarkdown(record).replaceAll(/ +/g, ' ')
  for (const line of [head, first]) expect(text).toContain(`\n| ${line.join(' | ')} |\n`)
  const findings = page.querySelector('.findings')?.textContent ?? ''
  for (const finding of [
    'coulomb in cube, N = 4000: a tolerance of 0.01 by cpu-wasm takes 5.00 ms, 20.0 times as fast as all pairs; ',
    '; an error of 2.0e-2 by ngraph, theta 0.5, takes 80.0 ms, 1.25 times as fast as all pairs.',
  ])
    expect(findings).toContain(finding)
  expect(page.body.textContent).not.toMatch(/is fastest|We lose|of our best|cube of cube/)
  const titles = [...page.querySelectorAll('figure h2')].map((title) => title.textContent)
  expect(titles).toEqual(['Time by error: coulomb, N = 4000'])
})

test('a refusal names its law and points if there are several', () => {
  const refused = (workload: string, reason: string): Row => ({
    ...sum('all pairs', '', 1, 0),
    problem: { ...(rows[0] as Row).problem, workload },
    outcome: { refused: reason },
  })
  const missing = ['layout in cube', 'gravity in cube'].map((workload) => refused(workload, 'not installed'))
  for (const print of [toleranceTable, toleranceMarkdown]) {
    const text = print({ ...record, rows: [...rows, refused('gravity in cube', 'wrong answer: off'), ...missing] })
    expect(text).toContain('No figure for all pairs in Node 20.20.2, gravity in cube: wrong answer: off')
    expect(text).toContain('No figure for all pairs in Node 20.20.2, 2 problems: not installed')
  }
})

test('each method has a line of its own, and only rivals are dashed', () => {
  // A sum over all pairs has no error of its own.
  const pairs = sum('cpu-wasm, tolerance 0.000001', 'pairs-once', 100, 1e-7)
  const lines = costLines(callsWithTolerance([...rows, pairs])).map((line) => [
    nameOfLine(line),
    line.rival,
    line.points.length,
  ])
  expect(lines).toEqual([
    ['cube', false, 2],
    ['mesh, cube', false, 1],
    ['manybody/d3, cube', false, 1],
    ['ngraph, cube', true, 1],
  ])
  // A line needs two points.
  const more = [sum('ngraph', 'tree, theta 0.8', 40, 5e-2), sum('manybody/d3, tolerance 0.001', usual, 9, 5e-4)]
  const { document } = parseHTML(`<html><body>${costPlot(callsWithTolerance([...rows, ...more]))}</body></html>`)
  const dashes = [...document.querySelectorAll('g[aria-label="line"] > g')].flatMap((group) =>
    [...group.querySelectorAll('path')].map(() => group.getAttribute('stroke-dasharray')),
  )
  expect(dashes).toEqual([null, null, null, '4 3'])
  const names = [...document.querySelectorAll('text')].map((text) => text.textContent)
  expect(names).toEqual(expect.arrayContaining(['cube', 'mesh, cube', 'manybody/d3, cube', 'ngraph, cube']))
})
