/**
 * How time is measured: each task warms up, then all tasks run in turn, round after round, so that a slow phase of the
 * machine falls on all of them alike. Medians and quartiles are given, for a mean is spoilt by one interruption.
 */

export interface Task {
  run(): Promise<unknown>
}

/** Wall time of one run, in milliseconds. */
export interface Times {
  readonly samples: readonly number[]
  readonly median: number
  readonly lowerQuartile: number
  readonly upperQuartile: number
}

export interface Measured<T> {
  readonly task: T
  readonly times: Times
}

const warmUp = { runs: 3, milliseconds: 500 }

/** The times of each task, in the order given. */
export async function measure<T extends Task>(tasks: readonly T[], rounds: number): Promise<readonly Measured<T>[]> {
  const measured = tasks.map((task) => ({ task, samples: [] as number[] }))
  for (const task of tasks) {
    const start = performance.now()
    for (let runs = 0; runs < warmUp.runs || performance.now() - start < warmUp.milliseconds; runs++) await task.run()
  }
  for (let round = 0; round < rounds; round++) {
    for (const { task, samples } of measured) {
      const start = performance.now()
      await task.run()
      samples.push(toMicroseconds(performance.now() - start))
    }
  }
  return measured.map(({ task, samples }) => ({ task, times: timesOf(samples) }))
}

export function timesOf(samples: readonly number[]): Times {
  const sorted = samples.toSorted((a, b) => a - b)
  return {
    samples,
    median: quantile(sorted, 0.5),
    lowerQuartile: quantile(sorted, 0.25),
    upperQuartile: quantile(sorted, 0.75),
  }
}

/** Finer than this, the clock shows only noise. */
const toMicroseconds = (milliseconds: number): number => Math.round(milliseconds * 1000) / 1000

/** Between the two nearest samples where it falls between them. */
function quantile(sorted: readonly number[], q: number): number {
  const at = q * (sorted.length - 1)
  const [low = Number.NaN, high = low] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]]
  return low + (high - low) * (at - Math.floor(at))
}
