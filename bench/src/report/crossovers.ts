/** The sizes where one contender overtakes another, interpolated between the measured sizes. */

import type { Times } from '../record.ts'
import { measured, type Series, sizesIn } from './series.ts'

export interface CrossoverSize {
  /** Number of points, on the straight line between two measurements over logarithmic axes. */
  readonly at: number
  /** The contenders that are fastest from here on, and up to here. */
  readonly winner: string
  readonly loser: string
}

interface Timed {
  readonly label: string
  /** Whole calls, by number of points. */
  readonly calls: ReadonlyMap<number, Times>
}

/** A crossover is known to two digits at best. */
const roughly = (count: number): string => String(Number(count.toPrecision(2)))

/** The crossovers in words. */
export function crossoverLines(series: readonly Series[]): readonly string[] {
  const lines = crossovers(series).map(
    ({ at, winner, loser }) => `From about ${roughly(at)} points ${winner} is faster than ${loser}.`,
  )
  return lines.length === 0 ? ['No lead changes by more than the quartiles.'] : lines
}

/** The sizes where the fastest contender changes, ascending; a lead within the quartiles does not count. */
export function crossovers(series: readonly Series[]): readonly CrossoverSize[] {
  const timed = series.map(({ label, rows }) => ({
    label,
    calls: new Map(measured(rows).map((row) => [row.problem.targets, row.outcome.call])),
  }))
  const sizes = sizesIn(series.flatMap(({ rows }) => measured(rows)))
  const decided = sizes.flatMap((size) => {
    const leader = leaderAt(size, timed)
    return leader ? [{ size, leader }] : []
  })
  return decided.slice(1).flatMap(({ size: to, leader: after }, i) => {
    const { size: from, leader: before } = decided[i] ?? { size: to, leader: after }
    const gap = (n: number) => Math.log(median(after, n) / median(before, n))
    const [start, end] = [gap(from), gap(to)]
    if (before === after || !(start > 0 && end < 0)) return []
    return [{ at: Math.round(from * (to / from) ** (start / (start - end))), winner: after.label, loser: before.label }]
  })
}

const median = ({ calls }: Timed, size: number): number => calls.get(size)?.median ?? Number.NaN

/** The leader, if its slower quartile is faster than the faster quartile of all others. */
function leaderAt(size: number, timed: readonly Timed[]): Timed | undefined {
  const there = timed.filter(({ calls }) => calls.has(size))
  return there.find(({ label, calls }) => {
    const own = calls.get(size)?.upperQuartile ?? Infinity
    return there.every((other) => other.label === label || own < (other.calls.get(size)?.lowerQuartile ?? Infinity))
  })
}
