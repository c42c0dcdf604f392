/**
 * How long work lasts on a device, by what it did before. It underestimates on purpose: a sleep that is too long would be
 * measured as work, and repeated.
 *
 * @module
 */
import { frame } from './wait.ts'

/** Much smaller work says little of larger: what it lasts is mostly the way there and back. */
const alike = 4

/** What one measurement can take from the estimate: a stall of the machine says nothing about its device. */
const kept = 0.8

export class WaitEstimate {
  #work = 0
  /** Work in a millisecond. */
  #rate = 0

  /** @param slowest work in a millisecond, even without a GPU */
  constructor(readonly slowest: number) {}

  /** Milliseconds that an amount of work takes; undefined while unknown and possibly longer than a frame. */
  expected(work: number): number | undefined {
    if (work <= alike * this.#work) return work / this.#rate
    const most = work / this.slowest
    return most < frame ? most : undefined
  }

  /** Clocks are coarse: nothing counts as shorter than a millisecond. */
  learn(work: number, milliseconds: number): void {
    this.#rate = Math.max(work / Math.max(1, milliseconds), kept * this.#rate)
    this.#work = Math.max(work, kept * this.#work)
  }
}
