/** Error against cost: a line for each sum and contender, over its tolerances or settings. */

import { groups } from './series.ts'
import type { ToleranceSum } from './tolerances.ts'

export interface CostLine {
  readonly law: string
  readonly count: number
  /** `cube` for our usual method, else with the method or the contender: `mesh, cube`, `ngraph, cube`. */
  readonly label: string
  readonly rival: boolean
  /** The error of 99 % of the targets, and the milliseconds of a call. */
  readonly points: readonly { readonly x: number; readonly y: number }[]
}

/** Sums that took all pairs are left out, because their error does not follow from the tolerance. */
export function costLines(sums: readonly ToleranceSum[]): readonly CostLine[] {
  const shown = sums.filter(({ setting, row }) => setting !== 'all pairs' && (row.outcome.error.p99 ?? 0) > 0)
  const keyOf = ({ row: { problem, contender }, who }: ToleranceSum) =>
    JSON.stringify([problem.workload, problem.targets, who, contender.rival])
  return [...groups(shown, keyOf).values()].flatMap((same) => {
    const [first] = same
    if (!first) return []
    const { problem, contender } = first.row
    const [law = '', set = ''] = problem.workload.split(' in ')
    const label = first.who === 'cpu-wasm' ? set : `${first.who.replace(/^cpu-wasm, /, '')}, ${set}`
    const points = same.map(({ row: { outcome } }) => ({ x: outcome.error.p99 ?? 0, y: outcome.call.median }))
    return [{ law, count: problem.targets, label, rival: contender.rival, points }]
  })
}
