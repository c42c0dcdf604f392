/**
 * One run of a placement: binds, computes, hands over the results, and measures the time of each step.
 *
 * @module
 */
import type { ArrayResults, Bindings, RunOptions } from '@manybody/core'
import type { Host } from '../host/host.ts'
import type { Placement } from '../placement/placement.ts'
import type { RequestOptions } from '../placement/request.ts'

/**
 * Reads all numbers of the caller before it first waits. Returns a promise only if it waits. The placement has the times.
 *
 * @param early whether the caller's thread has other work before it computes
 */
export function runOnce(
  host: Host,
  placement: Placement,
  bindings: Bindings,
  options: RunOptions & Pick<RequestOptions, 'setting'>,
  early?: boolean,
): ArrayResults | Promise<ArrayResults> {
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
): Promise<ArrayResults> {
  await waiting
  return ended(placement, into, start, bound)
}

function ended(placement: Placement, into: ArrayResults | undefined, start: number, bound: number): ArrayResults {
  const computed = performance.now()
  const results = copied(placement.results(), into)
  const { times } = placement
  times.upload = bound - start
  times.compute = computed - bound
  times.readback = performance.now() - computed
  return results
}

/** Copies of the results, in memory that is not shared, or in the caller's arrays. */
export function copied(results: ArrayResults, into: ArrayResults = {}): ArrayResults {
  let all = true
  for (const name in results) {
    if (Object.hasOwn(into, name)) into[name]?.set(results[name] as ArrayResults[string])
    else all = false
  }
  if (all) return into
  const copies: Record<string, ArrayResults[string]> = { ...into }
  for (const name in results)
    if (!Object.hasOwn(into, name)) copies[name] = (results[name] as ArrayResults[string]).slice()
  return copies
}
