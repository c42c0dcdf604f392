/**
 * The calls of a simulation, one after the other.
 *
 * @module
 */

export class CallOrder {
  /** Ends with the calls that were made until now. */
  #turn: Promise<unknown> = Promise.resolve()
  /** Number of calls that have not ended. */
  #calls = 0
  /** Whether a listener works. */
  inside = false

  /** Whether a call would begin at once. */
  get free(): boolean {
    return this.#calls === 0
  }

  /** Runs calls one after the other, in order, so that nothing is read in the middle of a step. */
  inTurn<T>(work: () => Promise<T> | T): Promise<T> {
    return this.#until(this.#turn.then(work))
  }

  /** The same. A call that finds no other under way begins at once, and is over, without a promise, unless it has to wait. */
  atOnce<P, T>(work: () => Promise<P> | T): Promise<P | T> | T {
    if (!this.free) return this.inTurn<P | T>(work)
    try {
      const result = work()
      return result instanceof Promise ? this.#until(result) : result
    } catch (error) {
      return Promise.reject(error)
    }
  }

  /**
   * Works in the middle of a call, such as that of a listener. The calls that it makes run one after the other, before the call under way
   * goes on.
   */
  async within(work: () => Promise<unknown>): Promise<void> {
    const outer = this.#turn
    this.#turn = Promise.resolve()
    this.inside = true
    try {
      await work()
      await this.#turn
    } finally {
      this.inside = false
      this.#turn = outer
    }
  }

  #until<T>(result: Promise<T>): Promise<T> {
    this.#calls++
    const over = () => {
      this.#calls--
    }
    this.#turn = result.then(over, over)
    return result
  }
}
