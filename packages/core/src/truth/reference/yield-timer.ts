/**
 * Hands control back to the caller's thread every few milliseconds, so that a page stays responsive, shows progress, and can
 * abort or dispose of the device while the reference works.
 *
 * @module
 */

/** Milliseconds of work between two pauses. */
const timeSlice = 20

export class YieldTimer {
  #dueAt: number = performance.now() + timeSlice
  #ended: Error | undefined

  due(): boolean {
    return performance.now() >= this.#dueAt
  }

  /** Lets all work end with this error at its next pause. */
  end(reason: Error): void {
    this.#ended ??= reason
  }

  /** Lets other tasks run. @throws `signal.reason` if it is aborted meanwhile, or the reason of `end` */
  async pause(signal?: AbortSignal): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 0))
    signal?.throwIfAborted()
    if (this.#ended) throw this.#ended
    this.#dueAt = performance.now() + timeSlice
  }
}
