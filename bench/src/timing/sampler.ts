/** Takes one sample of an entry's time: the mean of as many calls as fill a span that the clock resolves. */

import type { CallParts, Entry, Sample } from '../contender.ts'

/** The function of an entry that is timed. */
export type Timed = Pick<Entry, 'run' | 'sample'>

/**
 * Times one entry once.
 *
 * @param span the least total milliseconds of repeated calls, so that the clock's steps are negligible
 */
export const sampleOf = (entry: Timed, span: number): Promise<Sample> =>
  entry.sample?.(span) ?? repeated(() => entry.run(), span)

/**
 * Times consecutive calls. If a call of 100 us first waits for a turn of the event loop, it takes up to twice as long, and the factor
 * varies. The engine may collect garbage before the first.
 */
export async function repeated(call: () => Promise<CallParts | undefined>, span: number): Promise<Sample> {
  await new Promise((resolve) => setTimeout(resolve))
  const parts: CallParts[] = []
  const start = performance.now()
  for (let calls = 1; ; calls++) {
    const told = await call()
    if (told) parts.push(told)
    const spent = performance.now() - start
    if (spent >= span) return { call: spent / calls, parts: meanOf(parts) }
  }
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
