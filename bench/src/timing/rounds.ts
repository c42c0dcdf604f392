/**
 * Measures time: every entry warms up, then all are sampled in turn, round after round, so that a slow phase of the machine
 * affects all of them. Each round begins with the next entry.
 */

import type { Sample } from '../contender.ts'
import type { Pacing } from './pacing.ts'
import { sampleOf, type Timed } from './sampler.ts'

export interface RoundsOptions extends Pacing {
  /** Seconds for all rounds together. The fewest rounds are run however long they take. */
  readonly seconds: number
  readonly signal?: AbortSignal | undefined
  /** Called with the fraction done, 0 to 1. */
  readonly onProgress?: ((fraction: number) => void) | undefined
}

const fewest = 3
const most = 101

/** The samples of each entry in the given order, or the error of an entry that failed. */
export async function rounds<E extends Timed>(
  entries: readonly E[],
  { seconds, warm = 200, wake = warm, span = 20, rounds, signal, onProgress }: RoundsOptions,
): Promise<readonly (readonly Sample[] | Error)[]> {
  const samples: (Sample[] | Error)[] = entries.map(() => [])
  const attempt = async (index: number, work: (entry: E) => Promise<void>): Promise<void> => {
    const entry = entries[index]
    if (!entry || samples[index] instanceof Error || signal?.aborted) return
    try {
      await work(entry)
    } catch (error) {
      samples[index] = error instanceof Error ? error : new Error(String(error))
    }
  }
  const longest = rounds === undefined ? warmShare * 1000 * seconds : Number.POSITIVE_INFINITY
  for (const index of entries.keys())
    await attempt(index, (entry) => warmUp(entry, Math.min(longest, index === 0 ? wake : warm)))
  const start = performance.now()
  const spent = () => (performance.now() - start) / 1000
  const isOver = (round: number) =>
    rounds === undefined ? round >= most || (round >= fewest && spent() >= seconds) : round >= rounds
  for (let round = 0; !isOver(round) && !signal?.aborted; round++) {
    for (const step of entries.keys()) {
      const index = (round + step) % entries.length
      await attempt(index, async (entry) => {
        const sample = await sampleOf(entry, span)
        const own = samples[index]
        if (Array.isArray(own)) own.push(sample)
      })
      const perRound = spent() / (round + (step + 1) / entries.length)
      const expected = rounds ? rounds * perRound : Math.min(most * perRound, Math.max(fewest * perRound, seconds))
      onProgress?.(Math.min(1, spent() / expected))
    }
  }
  return samples
}

/** A warm-up takes at most this many times the time for all rounds, where that is limited. */
const warmShare = 10

/** Total milliseconds of the runs that warm up an entry. */
const warmSpan = 5

/** Compilers settle, caches fill, clocks rise. The judged run counts as the first. */
async function warmUp(entry: Timed, milliseconds: number): Promise<void> {
  const start = performance.now()
  do await (entry.sample?.(warmSpan) ?? entry.run())
  while (performance.now() - start < milliseconds)
}
