/**
 * Decides when calls begin on a device that takes two at a time: shortly before the call ahead should end. The device is then never idle,
 * and calls end in their order of arrival. If long calls began together, both would end late.
 *
 * @module
 */

interface Turn {
  /** When the device begins this call: at the actual or expected end of the call ahead. */
  begins: number
  readonly pairs: number
  readonly ended: Promise<void>
}

/** The next call begins this many milliseconds before the end of the call ahead: longer than it takes to reach the device. */
const early = 30

export class Turns {
  #last: Turn | undefined
  /** Milliseconds per pair, in the latest call. */
  #pace = 0

  /**
   * Computes when it is time.
   *
   * @param timeOf returns the computing time of the device, in milliseconds
   */
  async take<T>(pairs: number, compute: () => Promise<T>, timeOf: (computed: T) => number): Promise<T> {
    const before = this.#last
    const now = performance.now()
    let end = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    const turn = { begins: Math.max(now, before ? this.#dueOf(before) : 0), pairs, ended }
    this.#last = turn
    try {
      if (before) {
        void before.ended.then(() => {
          turn.begins = performance.now()
        })
        await endOf(before, this.#dueOf(before) - early - now)
      }
      const computed = await compute()
      this.#pace = timeOf(computed) / Math.max(1, pairs)
      return computed
    } finally {
      end()
      if (this.#last === turn) this.#last = undefined
    }
  }

  /** When a turn should end. */
  #dueOf({ begins, pairs }: Turn): number {
    return begins + pairs * this.#pace
  }
}

/** Resolves when a turn ends, or after some milliseconds. */
function endOf({ ended }: Turn, atMost: number): Promise<void> {
  if (atMost <= 0) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, atMost)
    void ended.then(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
