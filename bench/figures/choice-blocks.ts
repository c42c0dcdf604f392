/** How often the CPU chooses the better of its two loops, by number of points, and which choices miss: the tables of records of `choice`. */

import type { BenchmarkRecord } from '../src/record.ts'
import { type Choice, choicesIn, most, pointsOf, spread } from '../src/report/choices.ts'
import { duration } from '../src/report/format.ts'
import { markdownTable } from '../src/report/markdown-table.ts'
import { groups, type MeasuredRow } from '../src/report/series.ts'

const head = [
  'points',
  'threads',
  'cases',
  `chosen loop up to ${most}`,
  '95 %',
  'worst',
  `whole call up to ${most}`,
  '95 %',
  'worst',
  'choosing',
]

export function choiceLines(records: readonly Pick<BenchmarkRecord, 'rows'>[]): string {
  const all = records.flatMap(choicesIn)
  const key = ({ own }: Choice) => `${own.contender.threads} ${pointsOf(own)}`
  const order = all.toSorted(
    ({ own: a }, { own: b }) => (a.contender.threads ?? 1) - (b.contender.threads ?? 1) || pointsOf(a) - pointsOf(b),
  )
  const lines = [...groups(order, key).values()].map((some) => {
    const [{ own }] = some as [Choice]
    return [`${pointsOf(own)}`, `${own.contender.threads ?? 1}`, ...cells(some)]
  })
  return markdownTable(head, [...lines, ['all', '', ...cells(all)]])
}

function cells(some: readonly Choice[]): readonly string[] {
  const columns = (ratios: readonly number[]) => {
    const { within, p95, worst } = spread(ratios)
    return [`${within}`, p95.toFixed(2), worst.toFixed(2)]
  }
  const [choosing, calls] = [some.map(({ choosing }) => choosing), some.map(({ call }) => call)]
  const middle = choosing.toSorted((a, b) => a - b)[Math.floor(choosing.length / 2)] ?? 0
  return [
    `${some.length}`,
    ...columns(some.map(({ chosen }) => chosen)),
    ...columns(calls),
    `${(1000 * middle).toFixed(1)} us`,
  ]
}

const missHead = ['what misses', 'points', 'precision', 'threads', 'all pairs', 'blocks', 'chose', 'chosen by better']

/** The choices that took too long, the worst first. */
export function missLines(records: readonly Pick<BenchmarkRecord, 'rows'>[]): string {
  const misses = records.flatMap(choicesIn).filter(({ chosen }) => chosen > most)
  if (misses.length === 0) return 'No choice misses.'
  const time = (row: MeasuredRow | undefined) => (row ? duration(row.outcome.call.median) : '')
  const lines = misses
    .toSorted((a, b) => b.chosen - a.chosen)
    .map(({ own, all, blocks, chose, chosen }) => [
      own.problem.workload,
      `${pointsOf(own)}`,
      own.contender.precision,
      `${own.contender.threads ?? 1}`,
      time(all),
      time(blocks),
      chose,
      chosen.toFixed(2),
    ])
  return `The choices that miss, by the medians of both loops:\n\n${markdownTable(missHead, lines)}`
}
