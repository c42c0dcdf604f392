/** The report of a record without page and style, for the HTML file and for the page that measures. */

import { type BenchmarkRecord, isMeasured, type Row } from '../../record.ts'
import { duration, percent, scientific, withPrefix } from '../format.ts'
import { isBusy, machineText } from '../heading.ts'
import { type Refusal, refusalsOf, sizesIn } from '../refusals.ts'
import { loss } from '../remarks.ts'
import { groups, lawKey, measured, problemKey, ranked, rateOf, seriesOf } from '../series.ts'
import { sized, subjectOf, termsOf } from '../subject.ts'
import { callsWithTolerance } from '../tolerances.ts'
import type { Figure } from './figure.ts'
import { figuresOf } from './figures.ts'
import { html, type Markup, raw } from './markup.ts'
import { contenders, tables } from './tables.ts'
import { toleranceFindings } from './tolerances.ts'

/** @param document only makes the elements of the plots; nothing is added to it */
export function reportBody(record: BenchmarkRecord, document: Document): Markup {
  return html`
    ${header(record)}
    ${warnings(record)}
    ${findings(record)}
    ${figuresOf(record).map((figure) => figureMarkup(figure, document))}
    <section><h2>Figures</h2>${tables(record)}</section>
    ${refusals(record)}
    ${record.kind !== 'sweep' && html`<section><h2>Contenders</h2>${contenders(record)}</section>`}
    ${environments(record)}`
}

function header({ kind, date: began, command, machine, rows }: BenchmarkRecord): Markup {
  const { platform, driver } = machine
  const gpus = [
    ...new Set(rows.filter(({ contender }) => contender.kind === 'hardware').map(({ contender }) => contender.device)),
  ]
  return html`
    <header>
      <p class="brand">manybody benchmark</p>
      <h1>${titles[kind]}</h1>
      <dl>
        <div><dt>machine</dt><dd>${machineText(machine)}, ${platform}</dd></div>
        ${gpus.length > 0 && html`<div><dt>GPU</dt><dd>${gpus.join('; ')}${driver === undefined ? '' : `, driver ${driver}`}</dd></div>`}
        <div><dt>began</dt><dd>${`${began.slice(0, 10)} ${began.slice(11, 16)} UTC`}</dd></div>
        <div><dt>command</dt><dd><code>${command.split(' ').map((word, n) => html`${n > 0 && ' '}${whole(word)}`)}</code></dd></div>
      </dl>
    </header>`
}

const titles: Readonly<Record<BenchmarkRecord['kind'], string>> = {
  compare: 'Backends side by side',
  sweep: 'Variants and block sizes',
  scale: 'From few points to many',
  accuracy: 'How exact it is',
  transfer: 'Upload, compute, readback',
  workloads: 'Workload by workload',
  rivals: 'Beside what one would use instead',
  ladder: 'WebGL, from the obvious kernel to ours',
  choice: 'All pairs beside blocks of near points',
  steps: 'A step beside the forces that it needs',
  near: 'Blocks of near points beside others',
  tree: 'The cost of a tolerance',
  mesh: 'Sums through a mesh',
  gpu: 'WebGPU beside CUDA',
  calls: 'What a caller waits for',
}

/** Facts that a reader must know before believing a figure. */
function warnings({ partial, machine, rows }: BenchmarkRecord): Markup {
  const software = [...new Set(rows.filter(isSoftware).map(({ contender }) => contender.name))]
  const notes = [
    partial !== undefined &&
      html`<strong>Incomplete: ${partial}.</strong> What is here was measured; what is missing was not.`,
    software.length > 0 &&
      html`<strong>Software devices: ${software.join(', ')}.</strong> A GPU interface with no GPU behind it: the processor computes, and these figures say nothing about a GPU.`,
    isBusy(machine) &&
      html`<strong>The machine was busy:</strong> ${machine.load} processes wanted to run on ${machine.cores} cores before it began. Trust ratios within a table more than figures.`,
  ].filter((note) => note !== false)
  return html`${notes.map((note) => html`<p class="warning">${note}</p>`)}`
}

function isSoftware({ contender, outcome }: Row): boolean {
  return contender.kind === 'software' && isMeasured(outcome)
}

/** The findings in words. */
function findings(record: BenchmarkRecord): Markup {
  const lines = (findingsOf[record.kind] ?? fastest)(record)
  if (lines.length === 0) return html`<p class="warning"><strong>No figure:</strong> nothing gave a right answer.</p>`
  return html`<ul class="findings">${lines.map((line) => html`<li>${line}</li>`)}</ul>`
}

const findingsOf: Readonly<Partial<Record<BenchmarkRecord['kind'], typeof fastest>>> = {
  accuracy: mostExact,
  tree: ({ rows }) => toleranceFindings(callsWithTolerance(rows)),
  mesh: ({ rows }) => toleranceFindings(callsWithTolerance(rows)),
}

/** How close each law's errors come to their bounds. */
function mostExact({ rows }: BenchmarkRecord): readonly Markup[] {
  return [...groups(rows, lawKey).values()].flatMap((rows) => {
    const shares = measured(rows).flatMap((row) => {
      const { max, bound } = row.outcome.error
      return bound === null ? [] : [{ row, share: max / bound }]
    })
    const [first] = shares
    if (!first) return []
    const { row, share } = shares.reduce((most, one) => (one.share > most.share ? one : most))
    const { name } = row.contender
    const within = share <= 1 ? 'every error is within its bound' : 'an error is beyond its bound'
    return [
      html`${subjectOf(row)}: ${within}; closest to it comes <strong>${name}</strong> at ${whole(`N = ${row.problem.targets}`)}, with ${percent(share)} of it (${whole(scientific(row.outcome.error.max))}).`,
    ]
  })
}

/** The fastest contender at each law's largest size, and the rivals that beat us at the largest size where any do. */
function fastest({ rows }: BenchmarkRecord): readonly Markup[] {
  return [...groups(rows, lawKey).values()].flatMap((rows) => {
    const sizes = [...groups(rows, problemKey).values()].toSorted(
      ([a], [b]) => (b?.interactions ?? 0) - (a?.interactions ?? 0),
    )
    const largest = sizes.find((rows) => measured(rows).length > 0) ?? []
    const [best] = ranked(largest)
    if (!best) return []
    const label = seriesOf(largest).find(({ rows }) => rows.includes(best))?.label
    const lost = sizes.find((rows) => loss(rows) !== undefined)
    return [
      html`${sized(best)}: <strong>${label}</strong> is fastest, ${withPrefix(rateOf(best))} ${termsOf(best)} a second, ${duration(best.outcome.call.median)} a call.${lost && html` <strong>We lose</strong> at ${whole(`N = ${lost[0]?.problem.targets}`)}: ${loss(lost)}.`}`,
    ]
  })
}

function figureMarkup({ title, note, legend, key, draw }: Figure, document: Document): Markup {
  return html`
    <figure>
      <h2>${title}</h2>
      <figcaption>${note}</figcaption>
      ${key.length > 0 && html`<ul class="key">${key.map(({ label, color }) => html`<li><i style="background:${color}"></i>${label}</li>`)}</ul>`}
      <div class="wide">${raw(draw({ document, narrow: false }))}</div>
      <div class="narrow">${raw(draw({ document, narrow: true }))}
        ${legend.length > 0 && html`<ul class="key">${legend.map(({ label, color, dash }) => html`<li><svg width="30" height="10" aria-hidden="true"><line x1="0" x2="30" y1="5" y2="5" style="stroke:${color};stroke-width:2;stroke-dasharray:${dash}"/></svg>${label}</li>`)}</ul>`}
      </div>
    </figure>`
}

function refusals({ rows }: BenchmarkRecord): Markup {
  const refused = refusalsOf(rows)
  if (refused.length === 0) return html``
  return html`
    <section><h2>No figure, and why</h2><dl class="refused">${refused.map(
      (refusal) => html`
      <div><dt>${namesIn(refusal)}, ${problemsIn(refusal)}, ${refusal.rows[0]?.environment}</dt><dd>${refusal.reason}</dd></div>`,
    )}</dl></section>`
}

/** The first few of a long list. */
function namesIn({ rows }: Refusal): string {
  const names = [...new Set(rows.map((row) => `${row.contender.name}${variantText(row)}`))]
  return names.length > 4 ? `${names.slice(0, 3).join('; ')} and ${names.length - 3} more` : names.join('; ')
}

function problemsIn(refusal: Refusal): string {
  const { rows } = refusal
  const laws = groups(rows, lawKey).size
  return laws > 1
    ? `${groups(rows, problemKey).size} problems`
    : `${rows[0] ? subjectOf(rows[0]) : ''}, ${sizesIn(refusal)}`
}

/** Text that is not broken if it fits into one line. */
const whole = (text: string): Markup => html`<span class="whole">${text}</span>`

function variantText({ contender: { variant, sizes } }: Row): string {
  const parts = [variant, ...Object.entries(sizes ?? {}).map(([name, size]) => `${name} ${size}`)]
  return parts.map((part) => (part === undefined ? '' : ` ${part}`)).join('')
}

function environments({ environments }: BenchmarkRecord): Markup {
  return html`
    <section><h2>Environments</h2><div class="scroll"><table>
      <thead><tr><th scope="col">environment</th><th scope="col">shared memory</th><th scope="col" class="number">threads</th><th scope="col" class="number">clock step</th><th scope="col">versions</th></tr></thead>
      <tbody>${environments.map(
        ({ name, isolated, threads, timerResolution, versions }) => html`
        <tr><th scope="row">${name}</th><td>${isolated ? 'yes' : 'no: one thread each'}</td><td class="number">${threads}</td><td class="number">${duration(timerResolution)}</td><td class="wrap">${Object.entries(
          versions,
        )
          .map(([what, version]) => `${what} ${version}`)
          .join(', ')}</td></tr>`,
      )}</tbody>
    </table></div></section>`
}
