/**
 * How long work lasts on a device: in proportion to the latest of about that size.
 *
 * @module
 */
import { frame } from './wait.ts'

/** Much smaller work says little of larger: what it lasts is mostly the way there and back. */
const alike = 4

export class Pace {
  #work = 0
  #milliseconds = 0

  /** @param slowest work in a millisecond, even without a GPU */
  constructor(readonly slowest: number) {}

  /** Milliseconds that so much work lasts; undefined while nobody knows and it may be more than a frame. */
  expected(work: number): number | undefined {
    if (work <= alike * this.#work) return (work / this.#work) * this.#milliseconds
    const most = work / this.slowest
    return most < frame ? most : undefined
  }

  learn(work: number, milliseconds: number): void {
    if (alike * work < this.#work && milliseconds < this.#milliseconds) return
    this.#work = work
    this.#milliseconds = milliseconds
  }
}
