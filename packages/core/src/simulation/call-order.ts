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

  /** Runs calls one after the other, in order, so that nothing is read in the middle of a step. */
  inTurn<T>(work: () => Promise<T> | T): Promise<T> {
    return this.#until(this.#turn.then(work))
  }

  /** The same. A call that finds no other under way begins at once, and is over, without a promise, unless it has to wait. */
  atOnce(work: () => Promise<void> | undefined): Promise<void> | undefined {
    if (this.#calls > 0) return this.inTurn(work)
    try {
      const result = work()
      return result && this.#until(result)
    } catch (error) {
      return Promise.reject(error)
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
