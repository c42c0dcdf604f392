/** The rows of a record as tables, one for each problem: the numbers behind the plots. */

import type { BenchmarkRecord, Row } from '../../record.ts'
import { duration, scientific, withPrefix } from '../format.ts'
import { groups, type MeasuredRow, measured, problemKey, seriesOf, variantOf } from '../series.ts'
import { sized } from './figure.ts'
import { ratio } from './format.ts'
import { html, type Markup } from './markup.ts'

interface Column {
  readonly head: string
  readonly number?: boolean
  cell(row: MeasuredRow, among: readonly MeasuredRow[]): Markup | string
}

export function tables({ rows, kind }: BenchmarkRecord): Markup {
  const columns = kind === 'transfer' ? transferColumns : timeColumns
  return html`${[...groups(rows, problemKey).values()].map((rows) => table(rows, columns))}`
}

function table(rows: readonly Row[], columns: readonly Column[]): Markup {
  const labels = new Map(seriesOf(rows).flatMap(({ label, rows }) => rows.map((row) => [row, label] as const)))
  const among = measured(rows).toSorted((a, b) => rateOf(b) - rateOf(a))
  const [first] = rows
  const shown = columns.filter(({ cell }) => among.some((row) => String(cell(row, among)) !== ''))
  if (!first || among.length === 0) return html``
  return html`
    <div class="scroll"><table>
      <caption>${sized(first)}</caption>
      <thead><tr><th scope="col">contender</th>${shown.map(({ head, number }) => html`<th scope="col"${number ? right : ''}>${head}</th>`)}</tr></thead>
      <tbody>${among.map(
        (row) => html`
        <tr><th scope="row">${labels.get(row) ?? ''}${row.contender.rival && html` <span class="pill">rival</span>`}${row.contender.kind === 'software' && html` <span class="pill software">software</span>`}</th>${shown.map(
          ({ cell, number }) => html`<td${number ? right : ''}>${cell(row, among)}</td>`,
        )}</tr>`,
      )}</tbody>
    </table></div>`
}

const right = html` class="number"`
const rateOf = ({ outcome }: MeasuredRow): number => outcome.interactionsPerSecond

const timeColumns: readonly Column[] = [
  { head: 'median', number: true, cell: ({ outcome }) => duration(outcome.call.median) },
  {
    head: 'quartiles',
    number: true,
    cell: ({ outcome: { call } }) => `${duration(call.lowerQuartile)} to ${duration(call.upperQuartile)}`,
  },
  { head: 'device clock', number: true, cell: ({ outcome: { device } }) => (device ? duration(device.median) : '') },
  { head: 'per second', number: true, cell: (row) => withPrefix(rateOf(row)) },
  {
    head: 'of the best of ours',
    number: true,
    cell: (row, among) => {
      const best = among.find(({ contender }) => !contender.rival)
      return best ? ratio(rateOf(row) / rateOf(best)) : ''
    },
  },
  { head: 'largest error', number: true, cell: ({ outcome }) => scientific(outcome.error.max) },
  {
    head: 'bound',
    number: true,
    cell: ({ outcome: { error: found } }) => {
      if (found.approximate !== undefined) return html`<span class="note">${found.approximate}</span>`
      return found.bound === null ? '' : scientific(found.bound)
    },
  },
]

/** Describes each contender and the device that it ran on. */
export function contenders({ rows }: BenchmarkRecord): Markup {
  const listed = seriesOf(rows).flatMap(({ label, rows }) => {
    const [row] = measured(rows)
    return row ? [{ label, row, variants: [...new Set(measured(rows).map((one) => variantOf(one) ?? ''))] }] : []
  })
  return html`
    <div class="scroll"><table>
      <thead><tr>${['contender', 'ran on', 'in', 'precision', 'threads', 'variant'].map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
      <tbody>${listed.map(
        ({ label, row: { environment, contender }, variants }) => html`
        <tr><th scope="row">${label}</th><td class="wrap">${contender.device}${contender.kind === 'software' && html` <span class="pill software">software</span>`}${contender.driver !== undefined && `, ${contender.driver}`}</td><td>${environment}</td><td>${contender.precision}</td><td>${contender.threads ?? ''}</td><td class="wrap">${variants.length > 6 ? `${variants.length} variants` : variants.join('; ')}</td></tr>`,
      )}</tbody>
    </table></div>`
}

const transferColumns: readonly Column[] = [
  { head: 'upload', number: true, cell: ({ outcome: { parts } }) => (parts ? duration(parts.upload.median) : '') },
  { head: 'compute', number: true, cell: ({ outcome: { parts } }) => (parts ? duration(parts.compute.median) : '') },
  { head: 'readback', number: true, cell: ({ outcome: { parts } }) => (parts ? duration(parts.readback.median) : '') },
  { head: 'whole call', number: true, cell: ({ outcome }) => duration(outcome.call.median) },
  {
    head: 'times JavaScript',
    number: true,
    cell: (row, among) => speedUp(row, among, ({ outcome }) => outcome.call.median),
  },
  {
    head: 'without transfers',
    number: true,
    cell: (row, among) => speedUp(row, among, ({ outcome }) => outcome.parts?.compute.median),
  },
]

/** The gain over the plain loop in JavaScript, which transfers nothing. */
function speedUp(
  row: MeasuredRow,
  among: readonly MeasuredRow[],
  timeOf: (row: MeasuredRow) => number | undefined,
): string {
  const base = among.find(({ contender }) => contender.name === 'JavaScript')?.outcome.call.median
  const own = timeOf(row)
  return base === undefined || own === undefined ? '' : `${ratio(base / own)}`
}
