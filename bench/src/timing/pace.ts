/** The speeds of contenders, and which of them are too slow for a problem: if a single call would take hours, the contender is skipped. */

import type { Sketch } from '../contender.ts'

/** Terms per second, by the name of the contender. */
export type Pace = Map<string, number>

/** Why a call would take too long; undefined if it would not. */
export function tooSlow(name: string, pace: Pace, { interactions }: Sketch, seconds: number): string | undefined {
  const expected = interactions / (pace.get(name) ?? Infinity)
  if (expected <= Math.max(1, seconds)) return undefined
  return `one call would take about ${inWords(expected)}, and there are ${inWords(seconds)} for this problem; take fewer points or raise --duration`
}

export const isTooSlow = (reason: string): boolean => reason.startsWith('one call would take')

const units = [
  ['days', 86400],
  ['h', 3600],
  ['min', 60],
] as const

/** `0.83 s`, `3.5 min`, `220 days`. */
function inWords(seconds: number): string {
  const [unit, size] = units.find(([, size]) => seconds >= 2 * size) ?? ['s', 1]
  return `${Number((seconds / size).toPrecision(2))} ${unit}`
}
