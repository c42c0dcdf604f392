/**
 * The reasons why rows have no figure. Equal reasons are printed once; for a contender that is too slow, only the smallest problem is
 * named.
 */

import { isMeasured, type Row } from '../record.ts'
import { isTooSlow } from '../timing/pace.ts'
import { groups, lawKey } from './series.ts'
import { subjectOf } from './subject.ts'

/** Rows that share a reason, the smallest problem first. */
export interface Refusal {
  readonly reason: string
  readonly rows: readonly Row[]
}

/** Rows of one environment with the same reason form a group. All sizes that are too slow for a contender and a law also form one. */
export function refusalsOf(rows: readonly Row[]): readonly Refusal[] {
  const refused = rows.flatMap((row) => (isMeasured(row.outcome) ? [] : [{ row, reason: row.outcome.refused }]))
  const keyOf = ({ row, reason }: (typeof refused)[number]) => {
    const { name, precision, variant, sizes } = row.contender
    const what = isTooSlow(reason) ? [lawKey(row), name, precision, variant, sizes] : [reason]
    return JSON.stringify([row.environment, ...what])
  }
  return [...groups(refused, keyOf).values()].map((same) => {
    const sorted = same.toSorted((a, b) => a.row.interactions - b.row.interactions)
    return { reason: sorted[0]?.reason ?? '', rows: sorted.map(({ row }) => row) }
  })
}

/** The law if there is one, or the number of laws. */
export function lawsIn({ rows }: Refusal): string {
  const laws = groups(rows, lawKey).size
  return laws === 1 && rows[0] ? subjectOf(rows[0]) : `${laws} problems`
}

/** `N = 4096`, `N = 4096, 8192`. For a contender that is too slow, the smallest size is enough. */
export function sizesIn({ reason, rows }: Refusal): string {
  const sizes = [...new Set(rows.map(({ problem }) => problem.targets))]
  return sizes.length > 1 && isTooSlow(reason) ? `N = ${sizes[0]} and more` : `N = ${sizes.join(', ')}`
}
