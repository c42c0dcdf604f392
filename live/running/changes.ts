/** Work in turn: each piece starts when the one before has ended, whether it succeeded or not. */

export class Changes {
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0
  readonly #ending = new AbortController()

  get busy(): boolean {
    return this.#waiting > 0
  }

  /** Aborts when nobody waits for this work any more. */
  get signal(): AbortSignal {
    return this.#ending.signal
  }

  next<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting++
    const result = this.#last.then(() => {
      this.signal.throwIfAborted()
      return work()
    })
    this.#last = result
      .catch(() => undefined)
      .then(() => {
        this.#waiting--
      })
    return result
  }

  /** Starts no more pieces. @returns when the piece under way has ended */
  async end(): Promise<void> {
    this.#ending.abort()
    await this.#last
  }
}
