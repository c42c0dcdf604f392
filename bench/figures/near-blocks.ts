/**
 * One line for each rival of each problem: its time, and how many times as fast blocks are on as many threads, by precision.
 */

import type { BenchmarkRecord } from '../src/record.ts'
import { duration, threeDigits } from '../src/report/format.ts'
import { groups, type MeasuredRow, measured, problemKey } from '../src/report/series.ts'

export const nearHead: readonly string[] = [
  'problem',
  'points',
  'beside',
  'threads',
  'takes',
  'blocks, f32',
  'times',
  'blocks, f64',
  'times',
]

/** The lines of the rows that have a figure. */
export function nearLines({ rows }: BenchmarkRecord): readonly (readonly string[])[] {
  return [...groups(measured(rows), problemKey).values()].flatMap((rows) => {
    const ours = rows.filter(({ contender }) => contender.name === 'manybody')
    return rows
      .filter((row) => !ours.includes(row))
      .map((row) => [row.problem.workload, String(row.problem.targets), ...cellsOf(row, ours)])
  })
}

function cellsOf(row: MeasuredRow, ours: readonly MeasuredRow[]): readonly string[] {
  const { name, threads = 1 } = row.contender
  const beside = (precision: string) => {
    const own = ours.find(({ contender }) => contender.precision === precision && contender.threads === threads)
    return own ? [duration(time(own)), threeDigits(time(row) / time(own))] : ['', '']
  }
  const known = name === 'all pairs' ? 'our loop over all pairs' : name
  return [known, String(threads), duration(time(row)), ...beside('f32'), ...beside('f64')]
}

const time = ({ outcome }: MeasuredRow): number => outcome.call.median
