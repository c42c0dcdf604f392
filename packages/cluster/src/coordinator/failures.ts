/**
 * How often workers failed in a run. One that fails too often gets no more of the run.
 *
 * @module
 */
import type { Failure } from '../wire/answer.ts'

/** After this many failures in a run, a worker gets no more of it. */
const tolerated = 3

export class Failures {
  readonly #counts = new Map<string, number>()
  /** How often a worker lacked an array. */
  readonly #lacked = new Map<string, number>()
  lastReason = ''

  able(worker: string): boolean {
    return (this.#counts.get(worker) ?? 0) < tolerated
  }

  /** @param sent whether this run has an array, by its hash */
  constructor(readonly sent: (hash: string) => boolean) {}

  /** Counts a failure. Returns the array to send again, if that is all that the worker lacks. */
  add(worker: string, { reason, missing, unsupported }: Failure): string | undefined {
    this.lastReason = reason
    const lacks = missing !== undefined && this.sent(missing) && this.#mayResend(worker, missing) ? missing : undefined
    const count = unsupported ? tolerated : lacks === undefined ? 1 : 0
    this.#counts.set(worker, (this.#counts.get(worker) ?? 0) + count)
    return count === 0 ? lacks : undefined
  }

  /** Whether a worker may lack an array because the server has forgotten it. If it lacks it again and again, it cannot read it. */
  #mayResend(worker: string, hash: string): boolean {
    const key = `${worker} ${hash}`
    const before = this.#lacked.get(key) ?? 0
    this.#lacked.set(key, before + 1)
    return before < tolerated
  }
}
