/**
 * How long work lasts on a device, by what it did before. Too little is expected rather than too much: who sleeps too long
 * would measure that, and sleep as long again.
 *
 * @module
 */
import { frame } from './wait.ts'

/** Much smaller work says little of larger: what it lasts is mostly the way there and back. */
const alike = 4

/** What one measurement can take from the pace: a stall of the machine is not the pace of its device. */
const kept = 0.8

export class Pace {
  #work = 0
  /** Work in a millisecond. */
  #rate = 0

  /** @param slowest work in a millisecond, even without a GPU */
  constructor(readonly slowest: number) {}

  /** Milliseconds that so much work lasts; undefined while nobody knows and it may be more than a frame. */
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
