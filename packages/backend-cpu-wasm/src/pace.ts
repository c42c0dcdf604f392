/**
 * How fast a phase runs alone and with other threads, found by timing both in use; says which to take next.
 *
 * What it costs to wake a thread differs by a factor of ten between machines and from call to call, and a job that does
 * not gain from it should not pay for it.
 *
 * @module
 */

type Way = 'alone' | 'together'

/** Latest times of each way to look at. */
const kept = 5
/** Every so many runs, the slower way is tried again. */
const retry = 64

export class Pace {
  readonly #times: Record<Way, number[]> = { alone: [], together: [] }
  #runs = 0

  /** Milliseconds of one unit alone; undefined: not known yet. */
  get alone(): number | undefined {
    return this.#times.alone.length > 0 ? Math.min(...this.#times.alone) : undefined
  }

  next(): Way {
    this.#runs++
    const { alone, together } = this.#times
    if (together.length < 3) return 'together'
    if (alone.length < 3) return 'alone'
    const faster: Way = median(together) <= median(alone) ? 'together' : 'alone'
    if (this.#runs % retry !== 0) return faster
    return faster === 'alone' ? 'together' : 'alone'
  }

  took(way: Way, millisecondsPerUnit: number): void {
    const times = this.#times[way]
    times.push(millisecondsPerUnit)
    if (times.length > kept) times.shift()
  }
}

const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[list.length >> 1] ?? 0
