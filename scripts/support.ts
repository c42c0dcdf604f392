// Makes docs/support.md: what each backend answers when it is asked whether it supports a workload. A backend that is
// not available where this runs says so with its reason. A test on the software GPU asks, and holds the page against it.

import type { Backend, Device, Precision } from '../packages/manybody/src/index.ts'
import { type SupportCase, supportCases } from './support-cases.ts'

const precisions: readonly Precision[] = ['f32', 'f64']

interface Column {
  readonly name: string
  readonly devices: readonly Device[]
  /** For each precision without a device, why. */
  readonly missing: readonly string[]
}

/** The page as it should be, with a column for each backend by the name that it is given. */
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
  const head = ['', ...columns.map(({ name }) => name)]
  return `## ${title}\n\n${[head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')}`
}

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
