/**
 * One run of a placement: binds, computes, hands over the results, and measures the time of each step.
 *
 * @module
 */
import type { ArrayResults, Bindings, RunOptions, Timings } from '@manybody/core'
import type { Host } from '../host/host.ts'
import type { Placement } from '../placement/placement.ts'
import type { RequestOptions } from '../placement/request.ts'

export type RunTimes = Omit<Timings, 'compile'>

/**
 * Reads all numbers of the caller before it first waits.
 *
 * @param take gets views of the results, and must copy the numbers that it keeps
 * @param early whether the caller's thread has other work before it computes
 */
export async function runOnce(
  host: Host,
  placement: Placement,
  bindings: Bindings,
  options: RunOptions & Pick<RequestOptions, 'setting'>,
  take: (results: ArrayResults) => void,
  early?: boolean,
): Promise<RunTimes> {
  const start = performance.now()
  placement.bind(bindings, options)
  const bound = performance.now()
  const waiting = host.execute(placement.jobs(), 1, options, early)
  if (waiting !== undefined) await waiting
  const computed = performance.now()
  take(placement.results())
  return { upload: bound - start, compute: computed - bound, readback: performance.now() - computed }
}

/** Copies of the results, in memory that is not shared, or in the caller's arrays. */
export function copied(results: ArrayResults, into: ArrayResults = {}): ArrayResults {
  const copies: Record<string, ArrayResults[string]> = {}
  for (const [name, array] of Object.entries(results)) {
    const given = Object.hasOwn(into, name) ? into[name] : undefined
    given?.set(array)
    copies[name] = given ?? array.slice()
  }
  return copies
}
