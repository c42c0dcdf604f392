/**
 * The compiled program for the runs of a `GpuProgram`: first the program that compiles soon, and once it has run again, the
 * program that computes faster.
 *
 * @module
 */
import type { CompiledProgram, Prepared } from './compiled-program.ts'

export class Usual {
  #now: CompiledProgram
  #tuned: Prepared['tuned']
  #hasRun = false
  readonly #replaced: () => void

  /** @param replaced called when the other program takes over */
  constructor({ usual, tuned }: Pick<Prepared, 'usual' | 'tuned'>, replaced: () => void) {
    this.#now = usual
    this.#tuned = tuned
    this.#replaced = replaced
  }

  get now(): CompiledProgram {
    return this.#now
  }

  /** Notes that a run has begun. The second one compiles the faster program meanwhile; a single run compiles nothing more. */
  begun(): void {
    // If the device is lost, the run itself says so.
    if (this.#hasRun) this.tune().catch(() => {})
    this.#hasRun = true
  }

  /** Waits for the faster program. */
  async tune(): Promise<void> {
    if (!this.#tuned) return
    const tuned = await this.#tuned()
    if (!this.#tuned) return
    this.#tuned = undefined
    this.#now = tuned
    this.#replaced()
  }
}
