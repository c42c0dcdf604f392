/** The rows of a record as tables, one for each problem: the numbers behind the plots. */

import type { BenchmarkRecord, Row } from '../../record.ts'
import { type Column, figureColumns } from '../columns.ts'
import { remarks } from '../remarks.ts'
import { groups, isOurs, type MeasuredRow, measured, problemKey, ranked, seriesOf, variantOf } from '../series.ts'
import { sized } from '../subject.ts'
import { callsWithTolerance } from '../tolerances.ts'
import { html, type Markup } from './markup.ts'
import { toleranceMarkup } from './tolerances.ts'

export const tables = (record: BenchmarkRecord): Markup =>
  record.kind === 'tree' || record.kind === 'mesh'
    ? toleranceMarkup(callsWithTolerance(record.rows))
    : tablesByProblem(record)

const tablesByProblem = (record: BenchmarkRecord): Markup =>
  html`${[...groups(record.rows, problemKey).values()].map((rows) => table(rows, record))}`

function table(rows: readonly Row[], record: BenchmarkRecord): Markup {
  const labels = new Map(seriesOf(rows).flatMap(({ label, rows }) => rows.map((row) => [row, label] as const)))
  const among = ranked(rows)
  const [first] = among
  if (!first) return html``
  const columns = figureColumns(record, among)
  return html`
    <div class="scroll"><table>
      <caption>${sized(first)}</caption>
      <thead><tr><th scope="col">contender</th>${columns.map(({ head }) => html`<th scope="col" class="number">${head}</th>`)}</tr></thead>
      <tbody>${among.map((row) => line(row, labels.get(row) ?? '', columns, among))}</tbody>
    </table></div>${remarks(rows).map((remark) => html`<p>${remark}</p>`)}`
}

const line = (
  row: MeasuredRow,
  label: string,
  columns: readonly Column[],
  among: readonly MeasuredRow[],
): Markup => html`
        <tr><th scope="row">${label}${!isOurs(row) && html` <span class="pill">rival</span>`}${software(row)}</th>${columns.map(
          ({ cell }) => html`<td class="number">${cell(row, among)}</td>`,
        )}</tr>`

const software = ({ contender }: Row) =>
  contender.kind === 'software' && html` <span class="pill software">software</span>`

/** Describes each contender and the device that it ran on. */
export function contenders({ rows }: BenchmarkRecord): Markup {
  const listed = seriesOf(rows).flatMap(({ label, rows }) => {
    const [row] = measured(rows)
    return row ? [{ label, row, variants: [...new Set(measured(rows).map((one) => variantOf(one) ?? ''))] }] : []
  })
  return html`
    <div class="scroll"><table>
      <thead><tr>${['contender', 'ran on', 'in', 'precision', 'threads', 'variant'].map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
      <tbody>${listed.map(({ label, row, variants }) => {
        const { environment, contender } = row
        return html`
        <tr><th scope="row">${label}</th><td class="wrap">${contender.device}${software(row)}${contender.driver !== undefined && `, ${contender.driver}`}</td><td>${environment}</td><td>${contender.precision}</td><td>${contender.threads ?? ''}</td><td class="wrap">${variants.length > 6 ? `${variants.length} variants` : variants.join('; ')}</td></tr>`
      })}</tbody>
    </table></div>`
}
