/**
 * Hands control back to the caller's thread every few milliseconds, so that a page stays responsive, shows progress, and can
 * abort while the reference works.
 *
 * @module
 */

/** Milliseconds of work between two pauses. */
const timeSlice = 20

export class YieldTimer {
  #dueAt: number = performance.now() + timeSlice

  due(): boolean {
    return performance.now() >= this.#dueAt
  }

  /** Lets other tasks run. @throws `signal.reason` if it is aborted meanwhile */
  async pause(signal?: AbortSignal): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 0))
    signal?.throwIfAborted()
    this.#dueAt = performance.now() + timeSlice
  }
}
