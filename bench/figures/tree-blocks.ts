/** The costs of tolerances in the documentation, from the records of `npm run bench -- tree`. */

import { scientific, threeDigits } from '../src/report/format.ts'
import { markdownTable } from '../src/report/markdown-table.ts'
import type { NamedCosts } from '../src/tree/record.ts'

/** The least number of points for a row on the first page. */
const many = 1e6

/** Calls over many points, for readers who have not heard of tolerances. */
export function treeInShort(records: readonly NamedCosts[], link: (file: string) => string): string {
  const large = records
    .map((record) => ({ ...record, rows: record.rows.filter((row) => row.who === 'cpu-wasm' && row.points >= many) }))
    .filter(({ rows }) => rows.length > 0)
  const lines = large.flatMap(({ rows }) =>
    rows.map((row) => [
      `${row.law}, ${row.set}, ${row.points}`,
      String(row.tolerance),
      threeDigits(row.time / 1000),
      threeDigits(row.faster),
    ]),
  )
  const [newest] = large
  const links = large.map(({ file }) => `[record](${link(file)})`).join(', ')
  const where = `A whole call, and how many times as fast as our loop over all pairs it is. ${newest?.device}, ${newest?.threads} threads, ${newest?.date.slice(0, 10)}, ${links}.`
  return `${where}\n\n${markdownTable(['law, set, points', 'tolerance', 'seconds', 'times all pairs'], lines)}`
}

/** @param link to the file of a record */
export function treeCosts(records: readonly NamedCosts[], link: (file: string) => string): string {
  const rows = records.flatMap((record) => record.rows)
  const lines = rows.map((row) => [
    `${row.law}, ${row.set}, ${row.points}`,
    row.who === 'cpu-wasm' ? String(row.tolerance) : row.who,
    row.variant,
    row.time.toFixed(0),
    row.first?.toFixed(0) ?? '',
    `${threeDigits(row.faster)}x`,
    row.pairs?.toFixed(0) ?? '',
    scientific(row.p99),
    scientific(row.largest),
  ])
  const [newest] = records
  const links = records.map(({ file }, n) => `[${n + 1}](${link(file)})`).join(', ')
  const loads = records.flatMap(({ load }) => load)
  const busy = `load ${Math.min(...loads).toFixed(2)} to ${Math.max(...loads).toFixed(2)}`
  const where = `${newest?.device}, ${newest?.threads} threads, ${newest?.date.slice(0, 10)}, ${busy}; records: ${links}.`
  const head = ['law, set, points', 'tolerance or rival', 'setting', 'ms', 'first', 'faster', 'pairs', 'p99', 'largest']
  const quiet = Math.max(...loads) <= (newest?.threads ?? 1) + 1
  const warned = quiet
    ? where
    : `${where} The machine was busy, so a time may be several times too long, and with it what is faster; pairs and errors do not depend on that.`
  return `${warned}\n\n${markdownTable(head, lines)}`
}
