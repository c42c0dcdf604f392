/** Two loops side by side, and which of them the backend chose: one line for each problem. */

import { ways } from '../contenders/choices.ts'
import type { BenchmarkRecord } from '../record.ts'
import { duration } from './format.ts'
import { heading } from './heading.ts'
import { groups, type MeasuredRow, measured, problemKey } from './series.ts'
import { refusals, tableOf } from './tables.ts'

export function choices(record: BenchmarkRecord): string {
  const table = tableOf(
    ['problem', 'points', 'precision', ...ways, 'chose', 'choice / better', 'chosen / better'],
    'lrlrrrlrr',
  )
  let [worst, lines, wrong] = [1, 0, 0]
  const keyOf = (row: MeasuredRow) => `${problemKey(row)} ${row.contender.precision}`
  for (const rows of groups(measured(record.rows), keyOf).values()) {
    const [first] = rows
    const [all, blocks, own] = ways.map((way) => rows.find(({ contender }) => contender.name === way))
    if (!first || !all || !blocks || !own) continue
    const time = (row: MeasuredRow) => row.outcome.call.median
    const better = Math.min(time(all), time(blocks))
    const chose = own.contender.variant?.startsWith('blocks') ? blocks : all
    const [cost, loss] = [time(own) / better, time(chose) / better]
    worst = Math.max(worst, cost)
    lines++
    if (loss > most) wrong++
    table.push([
      first.problem.workload,
      first.problem.targets,
      first.contender.precision,
      ...[all, blocks, own].map((row) => duration(time(row))),
      chose.contender.name,
      cost.toFixed(2),
      loss.toFixed(2),
    ])
  }
  const summary = `${wrong} of ${lines} choices cost more than ${most} times the better loop; the slowest call is ${worst.toFixed(2)} times that.`
  return [heading(record), table.toString(), summary, refusals(record.rows)].filter(Boolean).join('\n\n')
}

/** How much slower than the best a choice may be. */
const most = 1.1
