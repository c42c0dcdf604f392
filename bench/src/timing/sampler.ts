/**
 * Takes one sample of an entry's time with benchmark.js, which repeats short calls until they fill a span that the clock
 * resolves, and returns the mean time of one. It runs in Node and in pages, on the same clock.
 */

import BenchmarkModule from 'benchmark'
import lodash from 'lodash'
import platform from 'platform'
import type { CallParts, Entry, Sample } from '../contender.ts'

/**
 * Without a document, benchmark.js compiles its loops in the same way everywhere. This clock is finer than the Date of pages.
 */
const Benchmark = BenchmarkModule.runInContext({
  _: lodash,
  platform,
  document: null,
  process: null,
  Date: { now: () => performance.now() },
}) as typeof BenchmarkModule

/** The function of an entry that is timed. */
export type Timed = Pick<Entry, 'run' | 'sample'>

/**
 * Times one entry once.
 *
 * @param span the least total milliseconds of repeated calls, so that the clock's steps are negligible
 */
export function sampleOf(entry: Timed, span: number): Promise<Sample> {
  if (entry.sample) return entry.sample(span)
  return new Promise((resolve, reject) => {
    const parts: CallParts[] = []
    const once = async (deferred: { resolve(): void }): Promise<void> => {
      const told = await entry.run()
      if (told) parts.push(told)
      deferred.resolve()
    }
    new Benchmark({
      defer: true,
      minSamples: 1,
      maxTime: 0,
      minTime: span / 1000,
      delay: 0,
      fn: (deferred: { resolve(): void }) => void once(deferred).catch(reject),
      onComplete(this: BenchmarkModule) {
        const [period = Number.NaN] = this.stats.sample
        resolve({ call: 1000 * period, parts: meanOf(parts) })
      },
    }).run({ async: true })
  })
}

function meanOf(parts: readonly CallParts[]): CallParts | undefined {
  if (parts.length === 0) return undefined
  const mean = (of: (one: CallParts) => number) => parts.reduce((total, one) => total + of(one), 0) / parts.length
  const device = parts.every((one) => one.device !== undefined) ? { device: mean((one) => one.device ?? 0) } : {}
  return {
    upload: mean((p) => p.upload),
    compute: mean((p) => p.compute),
    readback: mean((p) => p.readback),
    ...device,
  }
}
