/** Medians and quartiles, because one interruption would spoil a mean. */

import type { Times } from '../record.ts'

export function timesOf(samples: readonly number[]): Times {
  const sorted = [...samples].sort((a, b) => a - b)
  return {
    samples: samples.map(toNanoseconds),
    median: quantile(sorted, 0.5),
    lowerQuartile: quantile(sorted, 0.25),
    upperQuartile: quantile(sorted, 0.75),
  }
}

/** Differences below this are noise. */
const toNanoseconds = (milliseconds: number): number => Math.round(milliseconds * 1e6) / 1e6

/** Interpolates between the two nearest samples. */
export function quantile(sorted: readonly number[], q: number): number {
  const at = q * (sorted.length - 1)
  const [low = Number.NaN, high = low] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]]
  return toNanoseconds(low + (high - low) * (at - Math.floor(at)))
}
