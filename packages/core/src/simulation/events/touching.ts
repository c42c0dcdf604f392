/**
 * The pairs that meet a condition among a few points, decided in float64.
 *
 * @module
 */
import { conditionOf, pairValue, reachOf, type System } from './conditions.ts'
import type { PairEvent } from './events.ts'

export type TouchingPair = readonly [number, number]

/** The pairs in ascending order, each with its lower index first. */
export function pairsAmong(event: PairEvent, system: System): readonly TouchingPair[] {
  const law = conditionOf(event)
  const met = pairValue(law, system)
  const { arrays, dimension, lengths } = system
  const x = (point: number) => arrays.position[point * dimension] as number
  // In a box, neighbours may be at opposite edges.
  const reach = lengths.length > 0 ? Number.POSITIVE_INFINITY : Math.min(reachOf(law, arrays), event.cutoff ?? Infinity)
  const sorted = [...system.points.keys()].sort((a, b) => x(a) - x(b))
  const pairs: TouchingPair[] = []
  for (let n = 0; n < sorted.length; n++) {
    const a = sorted[n] as number
    for (let m = n + 1; m < sorted.length; m++) {
      const b = sorted[m] as number
      if (x(b) - x(a) > reach) break
      const [i, j] = a < b ? [a, b] : [b, a]
      if (met(i, j) !== 0) pairs.push([i, j])
    }
  }
  return pairs.sort(([i, j], [k, l]) => i - k || j - l)
}
