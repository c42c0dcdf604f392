/**
 * Two loops side by side, and the backend's choice between them: one line for each problem.
 *
 * A choice is judged by the times of the two loops alone. Another timing of the chosen loop would add its noise. Both loops ran in turns,
 * so each round compares them at the same moment, and the median of these ratios counts: the record has it. The cost of choosing shows in the times of calls
 * that choose. They are compared with calls that have a plan for the better loop.
 */

import { isBlocks, ways } from '../contenders/choices.ts'
import type { BenchmarkRecord, Beside } from '../record.ts'
import { quantile } from '../timing/times.ts'
import { duration } from './format.ts'
import { heading } from './heading.ts'
import { groups, type MeasuredRow, measured, problemKey } from './series.ts'
import { refusals, tableOf } from './tables.ts'

/** A choice may be slower than the better loop by this factor. */
export const most = 1.1

/** One problem in one precision on some threads. */
export interface Choice {
  /** The call that chose. */
  readonly own: MeasuredRow
  /** Undefined if there were too many pairs to visit them all. */
  readonly all: MeasuredRow | undefined
  readonly blocks: MeasuredRow
  readonly chose: 'all pairs' | 'blocks'
  /** The time of the chosen loop divided by the time of the better one. */
  readonly chosen: number
  /** The time of the call that chose, divided by the time of the better loop. */
  readonly call: number
  /** How many milliseconds longer that call took than the chosen loop. */
  readonly choosing: number
}

export function choicesIn({ rows }: Pick<BenchmarkRecord, 'rows'>): readonly Choice[] {
  const keyOf = (row: MeasuredRow) => `${problemKey(row)} ${row.contender.precision} ${row.contender.threads}`
  return [...groups(measured(rows), keyOf).values()].flatMap((some) => {
    const [all, blocks, own] = ways.map((way) => some.find(({ contender }) => contender.name === way))
    if (!blocks || !own) return []
    const beside = (one: MeasuredRow, other: MeasuredRow) => one.outcome.beside?.[other.contender.name] ?? unknown
    const chose = isBlocks(own.contender.variant) ? 'blocks' : 'all pairs'
    // There are too many pairs only in cases where blocks take a small part of the time.
    const ratio = all ? beside(blocks, all).ratio : 0
    const chosen = Math.max(1, chose === 'blocks' ? ratio : 1 / ratio)
    const call = beside(own, all && ratio > 1 ? all : blocks).ratio
    const { longer } = beside(own, (chose === 'blocks' ? blocks : all) ?? blocks)
    return [{ own, all, blocks, chose, chosen, call, choosing: longer }]
  })
}

/** Points of the larger set. */
export const pointsOf = ({ problem }: MeasuredRow): number => Math.max(problem.targets, problem.sources)

const unknown: Beside = { ratio: Number.NaN, longer: Number.NaN }

export function choices(record: BenchmarkRecord): string {
  const table = tableOf(
    [
      'problem',
      'points',
      'precision',
      'threads',
      'all pairs',
      'blocks',
      'own choice',
      'chose',
      'chosen / better',
      'call / better',
    ],
    'lrlrrrrlrr',
  )
  const found = choicesIn(record)
  const time = (row: MeasuredRow | undefined) => (row ? duration(row.outcome.call.median) : '')
  for (const { own, all, blocks, chose, chosen, call } of found)
    table.push([
      own.problem.workload,
      pointsOf(own),
      own.contender.precision,
      own.contender.threads ?? 1,
      ...[all, blocks, own].map(time),
      chose,
      chosen.toFixed(2),
      call.toFixed(2),
    ])
  const summary = [
    `The chosen loop takes at most ${most} times as long as the better one in ${spreadOf(found.map(({ chosen }) => chosen))}.`,
    `Calls that choose take at most ${most} times as long as those of the better loop in ${spreadOf(found.map(({ call }) => call))}.`,
  ].join('\n')
  return [heading(record), table.toString(), summary, refusals(record.rows)].filter(Boolean).join('\n\n')
}

/** `440 of 450 problems (95 % up to 1.05, worst 1.2)`. */
function spreadOf(ratios: readonly number[]): string {
  const { within, of, p95, worst } = spread(ratios)
  return `${within} of ${of} problems (95 % up to ${p95.toFixed(2)}, worst ${worst.toFixed(2)})`
}

/** How many ratios are small enough, the 95th percentile, and the largest. */
export function spread(ratios: readonly number[]) {
  const within = ratios.filter((ratio) => ratio <= most).length
  return { within, of: ratios.length, p95: quantile(sorted(ratios), 0.95), worst: Math.max(...ratios) }
}

const sorted = (values: readonly number[]): readonly number[] => values.toSorted((a, b) => a - b)
