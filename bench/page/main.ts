/**
 * The page that runs in any visitor's browser. It finds devices, measures, shows each row when it is done, and offers the
 * record.
 */

import { browserEnvironment, browserMachine } from '../src/browser/environment.ts'
import { type BenchmarkRecord, isMeasured, type Row } from '../src/record.ts'
import { textOf } from '../src/record-text.ts'
import { duration, scientific, withPrefix } from '../src/report/format.ts'
import { reportBody } from '../src/report/html/body.ts'
import { html, type Markup } from '../src/report/html/markup.ts'
import { reportPage } from '../src/report/html/page.ts'
import { sized } from '../src/report/subject.ts'
import { localSession } from '../src/sessions/local-session.ts'
import { run as runProblems } from '../src/sessions/run.ts'
import { backendBoxes, type Chosen, chosen, lawBoxes, sizeBoxes } from './choices.ts'
import { deviceRow, findDevices, isolationText } from './devices.ts'

const element = <E extends HTMLElement>(id: string): E => {
  const found = document.getElementById(id)
  if (!found) throw new Error(`the page has no element "${id}"`)
  return found as E
}
const fill = (id: string, content: Markup) => {
  element(id).innerHTML = String(content)
}
const show = (id: string, shown: boolean) => {
  element(id).hidden = !shown
}

const form = element<HTMLFormElement>('form')
const run = element<HTMLButtonElement>('run')
let stopping = new AbortController()

fill('laws', lawBoxes())
fill('sizes', sizeBoxes())
element('isolation').textContent = isolationText()
form.addEventListener('submit', (event) => {
  event.preventDefault()
  void start()
})
element('stop').addEventListener('click', () => stopping.abort())

const found = await findDevices()
fill('devices', html`${found.map(deviceRow)}`)
fill('backends', backendBoxes(found))
run.disabled = false

async function start(): Promise<void> {
  run.disabled = true
  for (const id of ['downloads', 'failure']) show(id, false)
  for (const id of ['results', 'stop', 'running', 'live']) show(id, true)
  fill('rows', html``)
  fill('report', html``)
  try {
    finish(await measured(chosen(form)))
  } catch (error) {
    element('failure').textContent = error instanceof Error ? error.message : String(error)
    show('failure', true)
  }
  run.disabled = false
  for (const id of ['stop', 'running']) show(id, false)
}

/** The same problems, contenders and method as in Node, into the same record. */
async function measured({ contenders, ...choice }: Chosen): Promise<BenchmarkRecord> {
  stopping = new AbortController()
  const session = localSession(browserEnvironment(), contenders)
  return runProblems([session], {
    ...choice,
    kind: new Set(choice.problems.map(({ count }) => count)).size > 1 ? 'scale' : 'compare',
    command: `bench/page, seconds ${choice.seconds}`,
    machine: browserMachine(),
    signal: stopping.signal,
    onRow: (row) => element('rows').insertAdjacentHTML('beforeend', String(liveRow(row))),
    onProgress(fraction, label) {
      element<HTMLProgressElement>('progress').value = fraction
      element('label').textContent = label
    },
  }).finally(session.dispose)
}

function liveRow(row: Row): Markup {
  const { contender, outcome } = row
  const software = contender.kind === 'software' && html` <span class="pill software">software</span>`
  const who = html`<td>${sized(row)}</td><th scope="row">${contender.name}${software}</th>`
  if (!isMeasured(outcome)) return html`<tr>${who}<td class="wrap" colspan="3">${outcome.refused}</td></tr>`
  const { call, interactionsPerSecond, error } = outcome
  return html`<tr>${who}<td class="number">${duration(call.median)}</td><td class="number">${withPrefix(interactionsPerSecond)}</td><td class="number">${scientific(error.max)}</td></tr>`
}

function finish(record: BenchmarkRecord): void {
  show('live', false)
  fill('report', reportBody(record, document))
  offer('json', textOf(record), 'application/json', record)
  offer('html', reportPage(record, document), 'text/html', record)
  show('downloads', true)
}

function offer(id: 'json' | 'html', content: string, type: string, { date, kind }: BenchmarkRecord): void {
  element(id).onclick = () => {
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob([content], { type }))
    link.download = `manybody-${kind}-${date.slice(0, 10)}.${id}`
    link.click()
    URL.revokeObjectURL(link.href)
  }
}
