/**
 * The pauses of a run. In a pause other tasks run, so that a page stays responsive, shows progress and can abort.
 *
 * Reading the clock may cost as much as a step of few points. So a run adds up estimates of the work done, and reads the clock
 * only after enough of it.
 *
 * @module
 */
import type { Pause } from './job.ts'

/** Milliseconds of work between pauses. */
const length = 12
/** Milliseconds of work between readings of the clock. */
export const unwatched = 0.1

export abstract class Pauses implements Pause {
  #end = 0
  #readAt = 0
  /**
   * Estimated milliseconds of work since the last reading of the clock, and the estimate at which the next one is due. The
   * first is due at once.
   */
  #estimate = 0
  #readAfter = 0

  /** @param done the finished fraction of the job */
  protected abstract progress(done: number): void

  /** Throws the reason if the run must stop. */
  protected abstract check(): void

  async now(done: number): Promise<void> {
    this.progress(done)
    await otherTasks()
    this.check()
    this.begin()
  }

  ifDue(done: number, spent: number): Promise<void> | undefined {
    return this.isDue(spent) ? this.now(done) : undefined
  }

  /** Whether a pause is due, after `spent` more estimated milliseconds of work. */
  isDue(spent: number): boolean {
    this.#estimate += spent
    if (this.#estimate < this.#readAfter) return false
    const now = performance.now()
    // Work that takes longer than estimated is watched more often.
    this.#readAfter = unwatched * Math.min(1, this.#estimate / (now - this.#readAt || this.#estimate))
    this.#readAt = now
    this.#estimate = 0
    return now >= this.#end
  }

  /** A pause is due some time after this. */
  protected begin(): void {
    this.#readAt = performance.now()
    this.#end = this.#readAt + length
    this.#estimate = 0
  }
}

let channel: MessageChannel | undefined
const waiting: (() => void)[] = []

/** Resolves after all tasks that are waiting now. */
export function otherTasks(): Promise<void> {
  const { setImmediate } = globalThis as { setImmediate?: (task: () => void) => void }
  return new Promise((resolve) => {
    if (setImmediate) setImmediate(resolve)
    else {
      channel ??= new MessageChannel()
      channel.port1.onmessage = () => waiting.shift()?.()
      waiting.push(resolve)
      channel.port2.postMessage(0)
    }
  })
}
