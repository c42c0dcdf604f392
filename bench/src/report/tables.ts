/** Records as terminal tables. */

import Table from 'cli-table3'
import { type BenchmarkRecord, isMeasured, type Row, type Times, type Who } from '../record.ts'
import { duration, scientific, threeDigits, withPrefix } from './format.ts'

/** Every contender's row, problem by problem, the fastest first; then those without a figure, with the reason. */
export function comparison({ rows }: BenchmarkRecord): string {
  return problemsOf(rows)
    .map((group) => [titleOf(group), ranking(group), refusals(group)].filter(Boolean).join('\n'))
    .join('\n\n')
}

function ranking(rows: readonly Row[]): string {
  const measured = rows.flatMap(({ outcome, ...row }) => (isMeasured(outcome) ? [{ ...row, outcome }] : []))
  if (measured.length === 0) return 'No contender gave a right answer.'
  const best = Math.max(...measured.map(({ outcome }) => outcome.interactionsPerSecond))
  const table = tableOf(
    ['contender', 'in', 'on', 'loop', 'median call', 'quartiles', 'terms/s', 'of best', 'error', 'allowed'],
    'llllrrrrrr',
  )
  for (const { environment, contender, outcome } of measured.toSorted(
    (a, b) => b.outcome.interactionsPerSecond - a.outcome.interactionsPerSecond,
  )) {
    const { call, interactionsPerSecond, error } = outcome
    table.push([
      `${contender.name}${contender.precision === 'f64' ? ', f64' : ''}`,
      environment,
      deviceOf(contender),
      contender.variant ?? '',
      duration(call.median),
      quartiles(call),
      withPrefix(interactionsPerSecond),
      `${threeDigits((100 * interactionsPerSecond) / best)}%`,
      scientific(error.max),
      error.bound === null ? `approximate: ${error.approximate}` : scientific(error.bound),
    ])
  }
  return table.toString()
}

/** Why there is no figure, a line each; contenders of one environment with the same reason share it. */
export function refusals(rows: readonly Row[]): string {
  return rows
    .flatMap(({ environment, contender, outcome }) =>
      isMeasured(outcome) ? [] : [`No figure for ${contender.name} in ${environment}: ${outcome.refused}`],
    )
    .join('\n')
}

const quartiles = ({ lowerQuartile, upperQuartile }: Times): string =>
  `${duration(lowerQuartile)} to ${duration(upperQuartile)}`

/** Software that only looks like a GPU is called so. */
const deviceOf = ({ device, kind }: Who): string => (kind === 'software' ? `software GPU: ${device}` : device)

export function problemsOf(rows: readonly Row[]): readonly (readonly Row[])[] {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const key = JSON.stringify(row.problem)
    groups.set(key, [...(groups.get(key) ?? []), row])
  }
  return [...groups.values()]
}

export function titleOf([row]: readonly Row[]): string {
  if (!row) return ''
  const { name, expression, workload, targets, sources, dimension } = row.problem
  const law = expression ?? name
  const size = sources === 0 ? `${targets}` : targets === sources ? `N = ${targets}` : `${targets} x ${sources}`
  return `${workload} of ${law}, ${size}, ${dimension}-D`
}

/** An empty table; `l` and `r` align its columns. */
export function tableOf(head: readonly string[], aligns: string): InstanceType<typeof Table> {
  return new Table({
    head: [...head],
    colAligns: [...aligns].map((align) => (align === 'r' ? 'right' : 'left')),
    style: { head: [], border: [], compact: true },
  })
}
