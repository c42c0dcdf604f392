/** Counts revolutions in a sampled orbit. The time of the whole turns gives the mean period. No fit, no model. */

export interface Revolutions {
  /** Whole turns since the start. */
  readonly turns: number
  /** Mean time of one turn; NaN before the first is complete. */
  readonly period: number
}

/**
 * @param times in any unit, ascending
 * @param angles direction of the body at those times, radians; steps must stay below half a turn
 */
export function revolutions(times: readonly number[], angles: readonly number[]): Revolutions {
  const swept = unwrapped(angles)
  const turns = Math.floor((swept.at(-1) ?? 0) / (2 * Math.PI))
  if (turns < 1) return { turns: 0, period: Number.NaN }
  const goal = turns * 2 * Math.PI
  const after = swept.findLastIndex((angle) => angle < goal) + 1
  const [a0, a1] = [swept[after - 1] ?? 0, swept[after] ?? goal]
  const [t0, t1] = [times[after - 1] ?? 0, times[after] ?? 0]
  const reached = t0 + ((goal - a0) / (a1 - a0)) * (t1 - t0)
  return { turns, period: (reached - (times[0] ?? 0)) / turns }
}

/** Angles from the first one on, without jumps of a whole turn. */
function unwrapped(angles: readonly number[]): number[] {
  let total = 0
  return angles.map((angle, n) => {
    const step = angle - (angles[n - 1] ?? angle)
    total += step - 2 * Math.PI * Math.round(step / (2 * Math.PI))
    return total
  })
}
