/** The parts of a report on sums with a tolerance: findings, plots of error against cost, and a table. */

import { type CostLine, costLines, nameOfLine } from '../costs.ts'
import { duration, scientific, threeDigits } from '../format.ts'
import { groups, lawKey } from '../series.ts'
import { sized } from '../subject.ts'
import { type ToleranceSum, toleranceHead, toleranceLines } from '../tolerances.ts'
import { type Figure, lineFigure, timeAxis } from './figure.ts'
import { html, type Markup, raw } from './markup.ts'
import { lookAt } from './plots/palette.ts'

/** For each law and set of points, the times of all tolerances and rivals at the largest size. */
export function toleranceFindings(sums: readonly ToleranceSum[]): readonly Markup[] {
  return [...groups(sums, ({ row }) => lawKey(row)).values()].flatMap((same) => {
    const most = Math.max(...same.map(({ row }) => row.problem.targets))
    const [first, ...rest] = same.filter(({ row }) => row.problem.targets === most)
    return first ? [html`${sized(first.row)}: ${[first, ...rest].map(finding).join('; ')}.`] : []
  })
}

function finding({ row, who, setting, tolerance, allPairs }: ToleranceSum): string {
  const { call, error } = row.outcome
  const reached = scientific(error.p99 ?? error.max)
  const what =
    tolerance === undefined ? `an error of ${reached} by ${who}, ${setting},` : `a tolerance of ${tolerance} by ${who}`
  const gain = Number.isNaN(allPairs) ? '' : `, ${threeDigits(allPairs / call.median)} times as fast as all pairs`
  return `${what} takes ${duration(call.median)}${gain}`
}

/** A plot for each law and number of points. */
export function toleranceFigures(sums: readonly ToleranceSum[]): readonly Figure[] {
  const lines = costLines(sums)
  const [sets, contenders] = [
    [...new Set(lines.map(({ set }) => set))],
    [...new Set(lines.filter(isDashed).map(({ who }) => who))],
  ]
  return [...groups(lines, ({ law, count }) => `${law}, N = ${count}`)].map(([title, same]) =>
    lineFigure(
      `Time by error: ${title}`,
      'Lower is better, and further left is more exact. Whole calls. Dashes are other methods and rivals.',
      same.map((line) => ({
        label: nameOfLine(line),
        look: lookAt(sets.indexOf(line.set), contenders.indexOf(line.who) + 1),
        points: line.points.map(({ error, time }) => ({ x: error, y: time })).toSorted((a, b) => a.x - b.x),
      })),
      {
        x: { label: 'error of 99 % of the targets →', format: (value) => value.toExponential(0) },
        y: timeAxis,
      },
    ),
  )
}

/** Our usual method has a full line. */
const isDashed = ({ who }: CostLine): boolean => who !== 'cpu-wasm'

/** The columns of text come first. */
const texts = 3

export function toleranceMarkup(sums: readonly ToleranceSum[]): Markup {
  const kind = (column: number) => column >= texts && raw(' class="number"')
  const line = ([first, ...cells]: readonly string[], n: number) => html`
        <tr><th scope="row">${first}${sums[n]?.row.contender.rival && html` <span class="pill">rival</span>`}</th>${cells.map(
          (cell, column) => html`<td${kind(column + 1)}>${cell}</td>`,
        )}</tr>`
  return html`
    <div class="scroll"><table>
      <caption>Milliseconds of sums with a tolerance; p99 is the error of 99 % of the targets</caption>
      <thead><tr>${toleranceHead.map((text, column) => html`<th scope="col"${kind(column)}>${text}</th>`)}</tr></thead>
      <tbody>${toleranceLines(sums).map(line)}</tbody>
    </table></div>`
}
