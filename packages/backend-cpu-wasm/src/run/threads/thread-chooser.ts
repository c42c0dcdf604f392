/**
 * Chooses whether a phase runs alone or together with other threads, by timing both ways during normal use.
 *
 * The cost of waking a thread differs by a factor of ten between machines and from call to call. A job that gains nothing
 * should not pay it. So the two ways are compared separately for other threads that sleep and for threads that are awake.
 *
 * Other work on the machine makes runs slower, never faster. So the speed of a way comes from the faster of its latest runs.
 * The slower way is tried again from time to time: soon after it was faster, then less and less often, and the less often the
 * slower it is.
 *
 * @module
 */

export type Way = 'alone' | 'together'
/** The state of the other threads when a job starts. */
export type Others = 'asleep' | 'awake'

/** How many of the latest times of a way are kept, and how many are needed to compare. */
const kept = 8
const needed = 3
/** The fewest runs until the slower way is tried again, the most if it takes no more than twice as long, and the most at all. */
const soon = 8
const late = 64
const latest = 64 * late

export class ThreadChooser {
  /** Times of runs alone, which do not depend on the other threads. */
  readonly #alone = new Times()
  readonly #cases: Readonly<Record<Others, Case>> = { asleep: new Case(this.#alone), awake: new Case(this.#alone) }

  /** Milliseconds of one unit alone; undefined until it is measured. */
  get alone(): number | undefined {
    return this.#alone.fastest
  }

  next(others: Others): Way {
    const one = this.#cases[others]
    if (!one.known) return one.together.count <= this.#alone.count ? 'together' : 'alone'
    const { faster } = one
    return one.wait-- > 0 ? faster : opposite[faster]
  }

  took(others: Others, way: Way, millisecondsPerUnit: number): void {
    const one = this.#cases[others]
    const { known, faster } = one
    const lost = way !== faster && millisecondsPerUnit >= one[faster].typical
    one[way].add(millisecondsPerUnit)
    if (!known || one.faster !== faster) one.interval = soon
    else if (lost) one.interval = Math.min(2 * one.interval, one.longest)
    else return
    one.wait = one.interval
  }
}

const opposite = { alone: 'together', together: 'alone' } as const

/** Times of runs while the other threads were asleep, or while they were awake. */
class Case {
  readonly together = new Times()
  /** Number of runs between two tries of the slower way, and number of runs left. */
  interval = soon
  wait = soon

  constructor(readonly alone: Times) {}

  get known(): boolean {
    return Math.min(this.alone.count, this.together.count) >= needed
  }

  /** The most runs between two tries, so that they cost little. A coarse clock may measure 0. */
  get longest(): number {
    const { faster } = this
    const [fast, slow] = [this[faster].typical, this[opposite[faster]].typical]
    return slow > 2 * fast ? Math.min(latest, late * (slow / fast - 1)) : late
  }

  get faster(): Way {
    return this.together.typical <= this.alone.typical ? 'together' : 'alone'
  }
}

/** The latest times of one way. */
class Times {
  readonly #latest: number[] = []
  /** The lower quartile. */
  typical: number = Number.POSITIVE_INFINITY

  get count(): number {
    return this.#latest.length
  }

  get fastest(): number | undefined {
    return this.count > 0 ? Math.min(...this.#latest) : undefined
  }

  add(time: number): void {
    this.#latest.push(time)
    if (this.count > kept) this.#latest.shift()
    this.typical = this.#latest.toSorted((a, b) => a - b)[this.count >> 2] ?? time
  }
}
