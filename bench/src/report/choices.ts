/**
 * Two loops side by side, and the backend's choice between them: one line for each problem, and one for each number of points.
 *
 * A choice is judged by the times of the two loops alone. Another timing of the chosen loop would add its noise. Both loops ran in turns,
 * so each round compares them at the same moment, and the median of these ratios counts: the record has it. The cost of choosing shows in the times of calls
 * that choose. They are compared with calls that have a plan for the better loop.
 */

import { isBlocks, ways } from '../contenders/choices.ts'
import type { BenchmarkRecord, Beside } from '../record.ts'
import { quantile } from '../timing/times.ts'
import { duration } from './format.ts'
import { refusals } from './refusals.ts'
import type { Section } from './section.ts'
import { groups, type MeasuredRow, measured, problemKey } from './series.ts'

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
const pointsOf = ({ problem }: MeasuredRow): number => Math.max(problem.targets, problem.sources)

const unknown: Beside = { ratio: Number.NaN, longer: Number.NaN }

export function choices(record: BenchmarkRecord): readonly Section[] {
  const found = choicesIn(record)
  const cases = { head: caseHead, aligns: 'lrlrrrlr', lines: found.map(caseLine) }
  const counts = { head: choiceHead, aligns: 'r'.repeat(choiceHead.length), lines: choiceLines(found) }
  return [{ table: cases }, ...(found.length === 0 ? [] : [{ table: counts }]), { notes: refusals(record.rows) }]
}

export const caseHead = [
  'problem',
  'points',
  'precision',
  'threads',
  'all pairs',
  'blocks',
  'chose',
  'chosen by better',
]

/** One choice, with the medians of both loops. */
export function caseLine({ own, all, blocks, chose, chosen }: Choice): readonly string[] {
  const time = (row: MeasuredRow | undefined) => (row ? duration(row.outcome.call.median) : '')
  const { precision, threads = 1 } = own.contender
  const ratio = chosen.toFixed(2)
  return [own.problem.workload, `${pointsOf(own)}`, precision, `${threads}`, time(all), time(blocks), chose, ratio]
}

export const choiceHead = [
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

/** How often the better loop is chosen, by the number of points and of threads, and in all. */
export function choiceLines(all: readonly Choice[]): readonly (readonly string[])[] {
  const placeOf = ({ own }: Choice) => [own.contender.threads ?? 1, pointsOf(own)] as const
  const order = all.toSorted((a, b) => {
    const [[threads, points], [others, more]] = [placeOf(a), placeOf(b)]
    return threads - others || points - more
  })
  const lines = [...groups(order, (choice) => placeOf(choice).join(' ')).values()].map((some) => {
    const [threads, points] = placeOf(some[0] as Choice)
    return [`${points}`, `${threads}`, ...cells(some)]
  })
  return [...lines, ['all', '', ...cells(all)]]
}

function cells(some: readonly Choice[]): readonly string[] {
  const columns = (ratios: readonly number[]) => [
    `${ratios.filter((ratio) => ratio <= most).length}`,
    quantile(sorted(ratios), 0.95).toFixed(2),
    Math.max(...ratios).toFixed(2),
  ]
  const choosing = sorted(some.map(({ choosing }) => choosing))
  const middle = choosing[Math.floor(choosing.length / 2)] ?? 0
  return [
    `${some.length}`,
    ...columns(some.map(({ chosen }) => chosen)),
    ...columns(some.map(({ call }) => call)),
    `${(1000 * middle).toFixed(1)} us`,
  ]
}

const sorted = (values: readonly number[]): readonly number[] => values.toSorted((a, b) => a - b)
