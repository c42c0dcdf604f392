/**
 * How long a worker may be silent before it counts as ended. A page can end workers without an event (`Worker.terminate`), and then
 * nothing would ever come back from them.
 *
 * @module
 */

/** Milliseconds of silence beyond the expected time of the work. */
const patience = 3000

/** Work may take this many times as long as estimated: other programs may have the processors. */
const slower = 10

/** Milliseconds between looks. A look counts for no longer, in case this thread was busy and answers wait to be read. */
const look = 100

/** Measures how long a worker that should answer has been silent. */
export class Silence {
  readonly #limit: number
  #waited = 0
  #looked = performance.now()

  /** @param expected milliseconds that the work should take */
  constructor(expected: number) {
    this.#limit = patience + slower * expected
  }

  /** Notes that an answer has come. */
  end(): void {
    this.#waited = 0
  }

  /** Looks at the clock. Returns whether the silence is too long. */
  isTooLong(): boolean {
    const now = performance.now()
    this.#waited += Math.min(2 * look, now - this.#looked)
    this.#looked = now
    return this.#waited > this.#limit
  }
}

/** Resolves after the time of a look. */
export const afterLook = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, look))
