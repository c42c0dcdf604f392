/** Medians and quartiles, because one interruption would spoil a mean. */

import type { Beside, Times } from '../record.ts'

export function timesOf(samples: readonly number[]): Times {
  const sorted = [...samples].sort((a, b) => a - b)
  return {
    samples: samples.length,
    median: quantile(sorted, 0.5),
    lowerQuartile: quantile(sorted, 0.25),
    upperQuartile: quantile(sorted, 0.75),
  }
}

/** Compares times with others of the same rounds. */
export function compared(times: readonly number[], others: readonly number[]): Beside {
  const rounds = times.slice(0, others.length).map((time, round) => [time, others[round] as number] as const)
  const middle = (values: readonly number[]) =>
    quantile(
      values.toSorted((a, b) => a - b),
      0.5,
    )
  return { ratio: middle(rounds.map(([a, b]) => a / b)), longer: middle(rounds.map(([a, b]) => a - b)) }
}

/** Differences below this are noise. */
const toNanoseconds = (milliseconds: number): number => Math.round(milliseconds * 1e6) / 1e6

/** Interpolates between the two nearest samples. */
export function quantile(sorted: readonly number[], q: number): number {
  const at = q * (sorted.length - 1)
  const [low = Number.NaN, high = low] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]]
  return toNanoseconds(low + (high - low) * (at - Math.floor(at)))
}
