/**
 * Estimates how long work takes on a device from earlier work. It underestimates on purpose: a sleep that is too long would
 * be measured as work, and repeated.
 *
 * @module
 */
import { frame } from './wait.ts'

/** Work can be estimated up to this many times the largest measured work, because smaller measurements are mostly latency. */
const alike = 4

/** The share of the estimate that one measurement cannot lower, because the machine may have stalled. */
const kept = 0.8

export class WaitEstimate {
  #work = 0
  /** Work per millisecond. */
  #rate = 0

  /** @param slowest work per millisecond that every device manages, even without a GPU */
  constructor(readonly slowest: number) {}

  /** Milliseconds that an amount of work takes; undefined if that is unknown and may exceed a frame. */
  expected(work: number): number | undefined {
    if (work <= alike * this.#work) return work / this.#rate
    const most = work / this.slowest
    return most < frame ? most : undefined
  }

  /** Clocks are coarse, so every time counts as a millisecond at least. */
  learn(work: number, milliseconds: number): void {
    this.#rate = Math.max(work / Math.max(1, milliseconds), kept * this.#rate)
    this.#work = Math.max(work, kept * this.#work)
  }
}
