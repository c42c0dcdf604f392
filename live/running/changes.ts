/** Work in turn: each piece starts when the one before has ended, whether it succeeded or not. */

export class Changes {
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0

  get busy(): boolean {
    return this.#waiting > 0
  }

  next<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting++
    const result = this.#last.then(work)
    this.#last = result
      .catch(() => undefined)
      .then(() => {
        this.#waiting--
      })
    return result
  }
}
