/**
 * When calls begin on a device that takes two at a time: shortly before the one ahead should end. The device is then never idle, and
 * calls end in the order in which they came; long ones that began together would both end late.
 *
 * @module
 */

interface Turn {
  /** When it should end. */
  readonly due: number
  readonly ended: Promise<void>
}

/** Milliseconds before the end of a call at which the next begins: more than it takes to reach the device. */
const early = 30

export class Turns {
  #last: Turn | undefined
  /** Milliseconds of a pair, in the latest call. */
  #pace = 0

  /**
   * Computes when it is time.
   *
   * @param timeOf milliseconds in which the device computed it
   */
  async take<T>(pairs: number, compute: () => Promise<T>, timeOf: (computed: T) => number): Promise<T> {
    const before = this.#last
    const now = performance.now()
    let end = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    this.#last = { due: Math.max(now, before?.due ?? 0) + pairs * this.#pace, ended }
    try {
      if (before) await endOf(before, before.due - early - now)
      const computed = await compute()
      this.#pace = timeOf(computed) / Math.max(1, pairs)
      return computed
    } finally {
      end()
    }
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
