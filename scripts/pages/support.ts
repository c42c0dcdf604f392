// Makes docs/support.md: whether each backend supports each workload, as its `supports` answers. A backend that is not available gives its
// reason. A test on the software GPU asks the backends, and compares the page.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { reduceOperations, reductions } from '../../packages/core/src/problem/reductions/table.ts'
import type { Backend, Device, Precision } from '../../packages/manybody/src/index.ts'
import { root } from '../../tools/pnpm.mjs'
import { type SupportCase, supportCases } from './support-cases.ts'

const precisions: readonly Precision[] = ['f32', 'f64']

interface Column {
  readonly name: string
  readonly devices: readonly Device[]
  /** The reason for each precision without a device. */
  readonly missing: readonly string[]
}

/** The expected page, with a column for each backend under the given name. */
export async function supportPage(backends: Readonly<Record<string, Backend>>): Promise<string> {
  const columns = await Promise.all(Object.entries(backends).map(openColumn))
  const refusals: string[] = []
  const tables = Object.entries(supportCases).map(([title, cases]) => table(title, cases, columns, refusals))
  for (const device of columns.flatMap(({ devices }) => devices)) device.dispose()
  const missing = columns.flatMap((column) => column.missing.map((line) => `- ${line}`))
  return `${[
    '# Supported workloads',
    [
      'This table shows the precisions in which each backend supports a workload, or the number of the reason why it does not. A',
      'dash means that no device was available. `webgpu` and `webgl` ran on a software GPU; another device may have higher or lower',
      'limits. `npm run support` writes this page, and a test checks that it is current.',
    ].join('\n'),
    ...tables,
    reductionTable(),
    ...(refusals.length ? ['## Reasons', refusals.map((reason, n) => `${n + 1}. ${reason}`).join('\n')] : []),
    ...(missing.length ? ['## Not available', missing.join('\n')] : []),
  ].join('\n\n')}\n`
}

async function openColumn([name, backend]: readonly [string, Backend]): Promise<Column> {
  const devices: Device[] = []
  const missing: string[] = []
  for (const precision of precisions) {
    const probe = await backend.probe({ precision })
    if (probe.available) devices.push(await backend.open({ precision }))
    else missing.push(`${name} in ${precision}: ${probe.reason}`)
  }
  return { name, devices, missing }
}

function table(title: string, cases: readonly SupportCase[], columns: readonly Column[], refusals: string[]): string {
  const rows = cases.map((one) => [one.name, ...columns.map((column) => cell(one, column, refusals))])
  return `## ${title}\n\n${markdown(['', ...columns.map(({ name }) => name)], rows)}`
}

const markdown = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')

/** The results of each operation of `reduce`, from the table of reductions and from the heads of the files that define them. */
function reductionTable(): string {
  const rows = reduceOperations.map((operation) => {
    const results = Object.entries(reductions[operation].results)
    return [
      `\`${operation}\``,
      meaningOf(readFileSync(join(root, `packages/core/src/truth/folds/${operation}.ts`), 'utf8')),
      results.map(([name]) => `\`${name}\``).join(', '),
      results.map(([, empty]) => String(empty)).join(', '),
    ]
  })
  const text =
    'What `reduce(operation, term)` gives for each target. A result without sources is the value if no source counts.'
  return `## Reductions\n\n${text}\n\n${markdown(['operation', 'meaning', 'results', 'without sources'], rows)}`
}

/** The head of a file, up to the description of its state. */
const meaningOf = (source: string) =>
  (source.split('*/')[0] ?? '')
    .replaceAll(/^\s*\/?\*+ ?/gm, '')
    .split(/\bState:|@module/)[0]
    ?.replaceAll(/\s+/g, ' ')
    .trim() ?? ''

function cell({ workload, shape }: SupportCase, { name, devices }: Column, refusals: string[]): string {
  const answers = devices.map((device) => {
    const { precision } = device.info
    const support = device.supports(workload, shape)
    if (support.ok) return precision
    const reason = `${name} in ${precision}: ${support.reason}`
    if (!refusals.includes(reason)) refusals.push(reason)
    return `no ${precision} [${refusals.indexOf(reason) + 1}](#reasons)`
  })
  return answers.join(', ') || '-'
}
