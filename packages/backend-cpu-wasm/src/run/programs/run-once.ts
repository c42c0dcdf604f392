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

/** A run that has ended. */
export interface Ran {
  readonly results: ArrayResults
  readonly times: RunTimes
}

/**
 * Reads all numbers of the caller before it first waits. Returns a promise only if it waits.
 *
 * @param early whether the caller's thread has other work before it computes
 */
export function runOnce(
  host: Host,
  placement: Placement,
  bindings: Bindings,
  options: RunOptions & Pick<RequestOptions, 'setting'>,
  early?: boolean,
): Ran | Promise<Ran> {
  const start = performance.now()
  placement.bind(bindings, options)
  const bound = performance.now()
  const waiting = host.execute(placement.jobs(), 1, options, early)
  if (waiting === undefined) return ended(placement, options.into, start, bound)
  return later(waiting, placement, options.into, start, bound)
}

async function later(
  waiting: Promise<void>,
  ...[placement, into, start, bound]: Parameters<typeof ended>
): Promise<Ran> {
  await waiting
  return ended(placement, into, start, bound)
}

function ended(placement: Placement, into: ArrayResults | undefined, start: number, bound: number): Ran {
  const computed = performance.now()
  const results = copied(placement.results(), into)
  const times = { upload: bound - start, compute: computed - bound, readback: performance.now() - computed }
  return { results, times }
}

/** Copies of the results, in memory that is not shared, or in the caller's arrays. */
export function copied(results: ArrayResults, into: ArrayResults = {}): ArrayResults {
  const copies: Record<string, ArrayResults[string]> = {}
  for (const name in results) {
    const array = results[name] as ArrayResults[string]
    const given = Object.hasOwn(into, name) ? into[name] : undefined
    given?.set(array)
    copies[name] = given ?? array.slice()
  }
  return copies
}
