// Records of every kind as the terminal, Markdown and HTML show them. The folder `reports` has all texts, so that a diff shows every changed
// word and number; `-u` updates it. HTML is complete, self-contained, and safe from the text that it quotes.

import { parseHTML } from 'linkedom'
import { describe, expect, test } from 'vitest'
import { tolerancePicture } from '../../../bench/figures/tolerance-picture.ts'
import { type BenchmarkRecord, type Kind, kinds, type Row } from '../../../bench/src/record.ts'
import { costLines } from '../../../bench/src/report/costs.ts'
import { crossovers } from '../../../bench/src/report/crossovers.ts'
import { htmlReport } from '../../../bench/src/report/html/report.ts'
import { markdown, printed } from '../../../bench/src/report/print.ts'
import { measured, seriesOf } from '../../../bench/src/report/series.ts'
import { callsWithTolerance } from '../../../bench/src/report/tolerances.ts'
import { measuredRow, sampleOf, sampleRecords, times, toleranceRows } from '../../support/sample-records.ts'

const records = sampleRecords()
/** Kinds whose Markdown is in the folder. That of the others is alike. */
const asMarkdown: readonly Kind[] = ['compare', 'rivals', 'tree']
const pageOf = (record: BenchmarkRecord): Document => parseHTML(htmlReport(record)).document

test('there is a sample record of every kind', () => {
  expect(records.map(({ kind }) => kind).sort()).toEqual(kinds.toSorted())
})

describe.each(records.map((record) => [record.kind, record] as const))('the report of %s', (kind, record) => {
  test('needs no script and no network, is the same each time, and has no plot with a missing coordinate', () => {
    const text = htmlReport(record)
    expect(text).not.toMatch(/<script|<link|<img|@import|url\(|src=|https?:\/\/(?!www\.w3\.org\/)/)
    expect(text).not.toMatch(/NaN|Infinity|undefined|\[object/)
    expect(htmlReport(record)).toBe(text)
  })

  test('has the same words and numbers as before, in the terminal and as Markdown, too', async () => {
    const [page, markdowned] = [pageOf(record), asMarkdown.includes(kind)]
    for (const one of page.querySelectorAll(markdowned ? 'svg' : 'svg, table')) one.remove()
    for (const cell of page.querySelectorAll('th, td, li')) cell.append(' | ')
    const text = (page.body.textContent ?? '').replace(/[ \t]+/g, ' ').replace(/\s*\n\s*/g, '\n')
    const all = [printed(record), ...(markdowned ? [markdown(record)] : []), text].join('\n\n----\n\n')
    await expect(`${all}\n`).toMatchFileSnapshot(`./reports/${kind}.txt`)
  })

  test('has the machine, the command, a plot, and a row for every figure', () => {
    const page = pageOf(record)
    expect(page.querySelector('header')?.textContent).toContain(record.machine.cpu)
    expect(page.querySelector('header code')?.textContent).toBe(record.command)
    expect(page.querySelectorAll('svg.plot').length).toBeGreaterThan(0)
    // Sums with a tolerance say how much faster than all pairs they are.
    const isShown = (row: Row) => row.contender.name !== 'all pairs' || kind !== 'tree'
    expect(page.querySelectorAll('tbody tr').length).toBe(measured(record.rows).filter(isShown).length)
  })
})

test('bars of one unit share a scale, so that problems may be compared', () => {
  const rows = [measuredRow({}, { ms: 10 }), measuredRow({}, { n: 100, ms: 1 })]
  const plots = [...pageOf({ ...sampleOf('compare'), rows }).querySelectorAll('svg.plot')]
  const ticks = plots.map((plot) =>
    [...plot.querySelectorAll('[aria-label="x-axis tick label"] text')].map((tick) => tick.textContent),
  )
  expect(ticks[0]?.length).toBeGreaterThan(1)
  expect(ticks).toEqual([ticks[0], ticks[0]])
})

test('texts of a record are never used as markup', () => {
  const record = { ...sampleOf('compare'), command: '<img src=x onerror=alert(1)>', partial: '<b>"&' }
  const rows = record.rows.map((row) => ({ ...row, problem: { ...row.problem, name: '<script>' } }))
  const page = pageOf({ ...record, rows })
  expect(page.querySelectorAll('img, script, b').length).toBe(0)
  expect(page.querySelector('header code')?.textContent).toBe(record.command)
})

test('a record without figures still makes a report', () => {
  const rows = sampleOf('scale').rows.map((row) => ({ ...row, outcome: { refused: 'no device' } }))
  for (const record of records)
    expect(pageOf({ ...record, rows }).body.textContent).toContain('No figure: nothing gave a right answer.')
})

/** Calls of a contender at three sizes. */
const timed = (name: string, of: (n: number) => number, spread = 0.01): readonly Row[] =>
  [100, 400, 1600].map((n) => measuredRow({ name }, { n, call: times(of(n), spread) }))

test('a crossover is where the lines cross beyond the quartiles, and a contender that never leads has none', () => {
  const rows = [...timed('flat', () => 8), ...timed('steep', (n) => n / 100), ...timed('never', (n) => n / 10 + 10)]
  expect(crossovers(seriesOf(rows))).toEqual([{ at: 800, winner: 'flat', loser: 'steep' }])
  const noisy = [...timed('a', () => 8, 0.5), ...timed('b', (n) => 7 + n / 800, 0.5)]
  expect(crossovers(seriesOf(noisy))).toEqual([])
})

test('each method with a tolerance has a line of its own, and only rivals are dashed', () => {
  const lines = costLines(callsWithTolerance(toleranceRows)).map((line) => [line.label, line.points.length])
  expect(lines).toEqual([
    ['cube', 2],
    ['mesh, cube', 1],
    ['manybody/d3, cube', 1],
    ['ngraph, cube', 1],
  ])
  const { document } = parseHTML(`<html><body>${tolerancePicture(callsWithTolerance(toleranceRows))}</body></html>`)
  const dashes = [...document.querySelectorAll('g[aria-label="line"] path')].map((path) =>
    path.closest('[stroke-dasharray]')?.getAttribute('stroke-dasharray'),
  )
  expect(dashes).toEqual([undefined, undefined, undefined, '4 3'])
})

test('a table for a narrow terminal has fewer columns, and names the others', () => {
  const { columns } = process.stdout
  try {
    process.stdout.columns = 80
    const lines = printed(sampleOf('compare')).split('\n')
    expect(Math.max(...lines.filter((line) => line.startsWith('│')).map((line) => line.length))).toBeLessThanOrEqual(80)
    expect(lines.filter((line) => /^A wider terminal, and --html, also show: .*loop/.test(line))).toHaveLength(2)
    process.stdout.columns = 300
    expect(printed(sampleOf('compare'))).not.toContain('A wider terminal')
  } finally {
    process.stdout.columns = columns
  }
})
