/** Where one contender becomes faster than another, between the sizes that were measured. */

import { measured, type Series } from './series.ts'

export interface Crossover {
  /** Points, on the straight line between two measurements over logarithmic axes. */
  readonly at: number
  /** Fastest from here on, and until here. */
  readonly winner: string
  readonly loser: string
}

/** The sizes at which the fastest contender changes, ascending. */
export function crossovers(series: readonly Series[]): readonly Crossover[] {
  const times = series.map(({ label, rows }) => ({
    label,
    of: new Map(measured(rows).map((row) => [row.problem.targets, row.outcome.call.median])),
  }))
  const sizes = [...new Set(times.flatMap(({ of }) => [...of.keys()]))].sort((a, b) => a - b)
  const fastest = (n: number) =>
    times
      .filter(({ of }) => of.has(n))
      .reduce((best, one) => ((one.of.get(n) ?? 0) < (best.of.get(n) ?? 0) ? one : best))
  return sizes.slice(1).flatMap((to, i) => {
    const from = sizes[i] ?? to
    const [before, after] = [fastest(from), fastest(to)]
    const gap = (n: number) => Math.log((after.of.get(n) ?? Number.NaN) / (before.of.get(n) ?? Number.NaN))
    const [start, end] = [gap(from), gap(to)]
    if (before === after || !(start > 0 && end < 0)) return []
    return [{ at: Math.round(from * (to / from) ** (start / (start - end))), winner: after.label, loser: before.label }]
  })
}
