/** The dialogs: the selection, the check, the comparison, the source, the link. */

import type { Verdict, Verification } from 'manybody'
import type { Doing, Row } from '../running/check.ts'
import type { StepWork } from '../running/session.ts'
import { digits, element, made, scientific, withPrefix } from './page.ts'

function open(title: string, ...content: readonly (Node | string)[]): HTMLElement {
  const dialog = element<HTMLDialogElement>('dialog')
  element('dialog-title').textContent = title
  element('dialog-content').replaceChildren(...content)
  if (!dialog.open) dialog.showModal()
  return element('dialog-content')
}

function table(heads: readonly string[], numeric: readonly number[] = []) {
  const body = made('tbody')
  const head = made('tr')
  heads.forEach((title, n) => {
    head.append(made('th', title, { scope: 'col', class: numeric.includes(n) ? 'number' : '' }))
  })
  const top = made('thead')
  top.append(head)
  const whole = made('table')
  whole.append(top, body)
  const box = made('div', '', { class: 'scroll' })
  box.append(whole)
  return { box, row: (...cells: readonly Node[]) => body.append(rowOf(cells)) }
}

function rowOf(cells: readonly Node[]): HTMLElement {
  const row = made('tr')
  row.append(...cells)
  return row
}

const cell = (text: string, kind = '') => made('td', text, { class: kind })

export function showSelection(verdicts: readonly Verdict[]): void {
  const { box, row } = table(['backend', 'outcome', 'device', 'why'])
  for (const { backend, outcome, device = '–', reason } of verdicts)
    row(
      made('th', backend, { scope: 'row' }),
      cell(outcome, outcome === 'chosen' ? 'good' : 'quiet'),
      cell(device, 'wide'),
      cell(reason, 'wide'),
    )
  open('Backends, and why each was chosen or not', box)
}

export function showVerification(
  { max, median, bound, ok, sampled, worst, report }: Verification,
  count: number,
): void {
  const verdict = made('p', ok ? 'Right: no error exceeds its bound.' : 'Wrong: an error exceeds its bound.', {
    class: ok ? 'good' : 'bad',
  })
  const { box, row } = table(['', 'relative error'], [1])
  row(made('th', 'largest', { scope: 'row' }), cell(scientific(max), 'number'))
  row(made('th', 'median', { scope: 'row' }), cell(scientific(median), 'number'))
  row(made('th', 'bound, from the law and these bodies', { scope: 'row' }), cell(scientific(bound), 'number'))
  const told = `${sampled} of ${count} bodies, compared with sums over all others in float64. ${report.backend} on ${report.device}, loop ${report.variant}.`
  const where = worst ? ` The largest share of its bound is at body ${worst.target}.` : ''
  open('Error against float64', verdict, box, made('p', told + where, { class: 'quiet' }))
}

/** A table that is filled while the backends are compared. */
export interface Comparison {
  row(result: Row | Doing): void
  done(): void
}

/** @param stop called if the visitor stops the comparison, or closes the dialog */
export function showComparison({ unit, perStep }: StepWork, stop: () => void): Comparison {
  const { box, row } = table(
    ['backend', 'ms per step', `${unit} per second`, 'largest error', 'bound', 'device and loop'],
    [1, 2, 3, 4],
  )
  const waiting = made('p', 'Each backend takes steps from here, and is compared with float64 …', {
    class: 'quiet',
    role: 'status',
  })
  const seconds = made('span', '', { class: 'quiet' })
  const stopper = made('button', 'Stop', { type: 'button' })
  const line = made('p', '', { class: 'row' })
  line.append(stopper, seconds)
  open('All backends, from the same state', box, waiting, line)
  let [since, stopped] = [performance.now(), false]
  const clock = setInterval(() => {
    seconds.textContent = `${Math.round((performance.now() - since) / 1000)} s`
  }, 1000)
  const ended = () => {
    stopped = true
    waiting.textContent = 'Stops when the device has finished what it was given …'
    stop()
  }
  stopper.addEventListener('click', ended)
  element('dialog').addEventListener('close', ended, { once: true })
  const cells = (result: Row) => {
    const head = made('th', result.backend, { scope: 'row' })
    if ('reason' in result) {
      const why = cell(result.reason, 'quiet')
      why.colSpan = 5
      return [head, why]
    }
    const { milliseconds, error, bound, ok, device, variant, kind } = result
    return [
      head,
      cell(digits(milliseconds), 'number'),
      cell(withPrefix((1000 * perStep) / milliseconds), 'number'),
      cell(scientific(error), `number ${ok ? 'good' : 'bad'}`),
      cell(scientific(bound), 'number'),
      cell(`${device} (${kind}), ${variant}`, 'wide'),
    ]
  }
  return {
    row(result) {
      if (!('doing' in result)) return void row(...cells(result))
      if (stopped) return
      since = performance.now()
      seconds.textContent = ''
      waiting.textContent = `${result.backend} ${result.doing} …`
    },
    done() {
      clearInterval(clock)
      element('dialog').removeEventListener('close', ended)
      line.remove()
      waiting.textContent = `${stopped ? 'Stopped. ' : ''}Steps of the same simulation; the screen is not counted.`
    },
  }
}

/** @param state a link that also holds the bodies; undefined if there are too many for a link */
export function showLink(short: string, state: string | undefined, copied: boolean): void {
  const field = (label: string, link: string) => {
    const input = made('input', '', { readonly: '', 'aria-label': label })
    input.value = link
    input.addEventListener('focus', () => input.select())
    return input
  }
  const link = field('Link', short)
  const also = state
    ? [made('p', 'This one also holds where every body is and how it moves:'), field('Link with the bodies', state)]
    : [made('p', 'There are too many bodies for a link that holds them. Save a snapshot to keep the state.')]
  const told = 'It holds the law and the settings, and starts over.'
  open('Links to this run', made('p', `${copied ? 'Copied. ' : ''}${told}`), link, ...also)
  link.focus()
}

export function showSource(parts: readonly { readonly title: string; readonly text: string }[]): void {
  const select = made('select', '', { 'aria-label': 'Which source' })
  select.append(...parts.map(({ title }) => made('option', title)))
  const text = made('pre', parts[0]?.text ?? '')
  select.addEventListener('change', () => {
    text.textContent = parts[select.selectedIndex]?.text ?? ''
  })
  const line = made('p', '', { class: 'row' })
  line.append(select)
  open('Source', line, text)
}
