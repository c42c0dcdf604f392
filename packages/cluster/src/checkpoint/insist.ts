/**
 * Repeats what fails because the server is away for a while.
 *
 * @module
 */
import {
  ConnectionError,
  NoRespondersError,
  PermissionViolationError,
  RequestError,
  TimeoutError,
} from '@nats-io/nats-core'

/** Milliseconds for which a server may be away, and for which it may answer before its JetStream does. */
const patience = { away: 30_000, starting: 3000 }
const pause = 250

/** @throws the reason if the server refuses, or the last one if it stays away */
export async function insist<T>(act: () => Promise<T>): Promise<T> {
  const began = performance.now()
  for (;;) {
    try {
      return await act()
    } catch (error) {
      if (performance.now() - began > patienceWith(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
}

function patienceWith(error: unknown): number {
  const reasons = [error, (error as Error | undefined)?.cause]
  const is = (...types: readonly (abstract new (...given: never[]) => Error)[]) =>
    reasons.some((reason) => types.some((type) => reason instanceof type))
  if (is(PermissionViolationError)) return 0
  // The client exports no class for it.
  if (reasons.some((reason) => reason instanceof Error && reason.name === 'JetStreamNotEnabled'))
    return patience.starting
  return is(TimeoutError, NoRespondersError, RequestError, ConnectionError) ? patience.away : 0
}
