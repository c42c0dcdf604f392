/** The report of a record without page and style, for the HTML file and for the page that measures. */

import { type BenchmarkRecord, isMeasured, type Kind } from '../../record.ts'
import { duration, withPrefix } from '../format.ts'
import { heading, isBusy } from '../heading.ts'
import { loss } from '../remarks.ts'
import { sectionsOf } from '../report.ts'
import type { Section } from '../section.ts'
import { groups, measured, perLaw, problemKey, ranked, rateOf, seriesOf } from '../series.ts'
import { sized, termsOf } from '../subject.ts'
import { type Figure, figuresOf } from './figures.ts'
import { html, type Markup, raw } from './markup.ts'

/** @param document only makes the elements of the plots; nothing is added to it */
export function reportBody(record: BenchmarkRecord, document: Document): Markup {
  const { kind, date, command } = record
  const began = `began ${date.slice(0, 10)} ${date.slice(11, 16)} UTC`
  return html`
    <header>
      <p class="brand">manybody benchmark</p>
      <h1>${titles[kind]}</h1>
      <ul>${[...heading(record).split('\n'), began].map((line) => html`<li>${line}</li>`)}<li><code>${command}</code></li></ul>
    </header>
    ${warnings(record)}
    ${findings(record)}
    ${figuresOf(record).map((figure) => figureMarkup(figure, document))}
    <section><h2>Figures</h2>${sectionsOf(record).map(sectionMarkup)}</section>`
}

const titles: Readonly<Record<Kind, string>> = {
  compare: 'Backends side by side',
  sweep: 'Variants and block sizes',
  scale: 'From few points to many',
  transfer: 'Upload, compute, readback',
  workloads: 'Workload by workload',
  rivals: 'Beside what one would use instead',
  choice: 'All pairs beside blocks of near points',
  near: 'Blocks of near points beside others',
  tree: 'The cost of a tolerance',
  mesh: 'Sums through a mesh',
  gpu: 'WebGPU beside CUDA',
  calls: 'What a caller waits for',
}

/** Facts that a reader must know before believing a figure. */
function warnings({ partial, machine, rows }: BenchmarkRecord): readonly Markup[] {
  const software = rows.filter(({ contender, outcome }) => contender.kind === 'software' && isMeasured(outcome))
  const names = [...new Set(software.map(({ contender }) => contender.name))]
  const notes = [
    partial !== undefined &&
      html`<strong>Incomplete: ${partial}.</strong> What is here was measured; what is missing was not.`,
    names.length > 0 &&
      html`<strong>Software devices: ${names.join(', ')}.</strong> A GPU interface with no GPU behind it: the processor computes, and these figures say nothing about a GPU.`,
    isBusy(machine) &&
      html`<strong>The machine was busy:</strong> ${machine.load} processes wanted to run on ${machine.cores} cores before it began. Trust ratios within a table more than figures.`,
  ]
  return notes.filter((note) => note !== false).map((note) => html`<p class="warning">${note}</p>`)
}

/** The fastest contender at each law's largest size, and the rivals that beat us at the largest size where any do. */
function findings({ kind, rows }: BenchmarkRecord): Markup {
  if (measured(rows).length === 0)
    return html`<p class="warning"><strong>No figure:</strong> nothing gave a right answer.</p>`
  // The pairs of a sum with a tolerance are not those that it computes.
  if (kind === 'tree' || kind === 'mesh') return html``
  const lines = perLaw(rows).flatMap((rows) => {
    const sizes = [...groups(rows, problemKey).values()].toSorted(
      ([a], [b]) => (b?.interactions ?? 0) - (a?.interactions ?? 0),
    )
    const largest = sizes.find((rows) => measured(rows).length > 0) ?? []
    const [best] = ranked(largest)
    if (!best) return []
    const label = seriesOf(largest).find(({ rows }) => rows.includes(best))?.label
    const lost = sizes.find((rows) => loss(rows) !== undefined)
    return [
      html`${sized(best)}: <strong>${label}</strong> is fastest, ${withPrefix(rateOf(best))} ${termsOf(best)} a second, ${duration(best.outcome.call.median)} a call.${lost && html` <strong>We lose</strong> at N = ${lost[0]?.problem.targets}: ${loss(lost)}.`}`,
    ]
  })
  return html`<ul class="findings">${lines.map((line) => html`<li>${line}</li>`)}</ul>`
}

const figureMarkup = ({ title, note, key, draw }: Figure, document: Document): Markup => html`
    <figure>
      <h2>${title}</h2>
      <figcaption>${note}</figcaption>
      ${key.length > 0 && html`<ul class="key">${key.map(({ label, color }) => html`<li><i style="background:${color}"></i>${label}</li>`)}</ul>`}
      ${raw(draw(document))}
    </figure>`

function sectionMarkup({ title, remarks = [], table, notes = [] }: Section): Markup {
  const kind = (column: number) => (table?.aligns[column] === 'r' ? raw(' class="number"') : raw(''))
  const shown =
    table &&
    table.lines.length > 0 &&
    html`
    <div class="scroll"><table>
      <caption>${title}</caption>
      <thead><tr>${table.head.map((head, n) => html`<th scope="col"${kind(n)}>${head}</th>`)}</tr></thead>
      <tbody>${table.lines.map(
        ([first, ...cells]) => html`
        <tr><th scope="row">${first}</th>${cells.map((cell, n) => html`<td${kind(n + 1)}>${cell}</td>`)}</tr>`,
      )}</tbody>
    </table></div>`
  return html`${shown || (title && html`<p><strong>${title}</strong></p>`)}${[...remarks, ...notes].map((line) => html`<p>${line}</p>`)}`
}
