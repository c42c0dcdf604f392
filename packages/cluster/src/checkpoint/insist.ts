/**
 * Retries requests that fail because the server is away for a while.
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
import { StoreError } from '../wire/store.ts'

/** How many milliseconds a server may stay away, and how many it may answer without its JetStream. */
const patience = { away: 30_000, starting: 3000 }
const pause = 250

/**
 * @param what is being done: `save "galaxy"`
 * @throws the reason if the server refuses; {@link StoreError} if the server is full or stays away
 */
export async function insist<T>(what: string, act: () => Promise<T>): Promise<T> {
  const began = performance.now()
  for (;;) {
    try {
      return await act()
    } catch (error) {
      const patient = patienceWith(error)
      const reason = error instanceof Error ? error.message : String(error)
      if (patient > 0 && performance.now() - began > patient)
        throw new StoreError(`Cannot ${what}: the NATS server does not answer (${reason})`, remedy, { cause: error })
      if (isFull(reason))
        throw new StoreError(`Cannot ${what}: the NATS server is full (${reason})`, remedy, { cause: error })
      if (patient === 0) throw error
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
}

/** Without room for its files, a server first refuses messages and then ends its JetStream. */
const remedy = 'see its log; free disk space, or raise max_file_store in the jetstream section of its configuration'

const isFull = (reason: string) =>
  /insufficient|maximum bytes exceeded|no space|resource limits? exceeded/i.test(reason)

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
