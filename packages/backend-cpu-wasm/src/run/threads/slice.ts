/**
 * The time that a run may keep the caller's thread before it lets other tasks run.
 *
 * Reading the clock may cost as much as a step of few points. A slice therefore adds up estimates of the work done, and reads the
 * clock only after enough of it.
 *
 * @module
 */

/** Milliseconds of work between pauses. */
const length = 12
/** Milliseconds of work between readings of the clock. */
export const unwatched = 0.1

export class Slice {
  #end = 0
  #readAt = 0
  /** Estimated milliseconds of work since the clock was read, and the number of them at which it is read again. */
  #estimate = 0
  #readAfter = 0

  begin(): void {
    this.#readAt = performance.now()
    this.#end = this.#readAt + length
    this.#estimate = 0
  }

  /** Reads the clock after the next call, which shows how good the estimates are. */
  distrust(): void {
    this.#readAfter = 0
  }

  /** Whether the slice is over, after `spent` more estimated milliseconds of work. */
  isOver(spent: number): boolean {
    this.#estimate += spent
    if (this.#estimate < this.#readAfter) return false
    const now = performance.now()
    // Work that takes longer than estimated is watched more often.
    this.#readAfter = unwatched * Math.min(1, this.#estimate / (now - this.#readAt || this.#estimate))
    this.#readAt = now
    this.#estimate = 0
    return now >= this.#end
  }
}
