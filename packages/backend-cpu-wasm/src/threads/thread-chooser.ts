/**
 * How fast a phase runs alone and with other threads, found by timing both in use; says which to take next.
 *
 * What it costs to wake a thread differs by a factor of ten between machines and from call to call, and a job that does
 * not gain from it should not pay for it. So other threads asleep and awake are two cases, compared each for itself.
 *
 * Whatever else the machine does makes a run slower, never faster. So a way is as fast as the quicker of its latest
 * runs; and the slower way is tried again, at once after it was faster, else ever more rarely.
 *
 * @module
 */

export type Way = 'alone' | 'together'
/** What the other threads do when a job begins. */
export type Others = 'asleep' | 'awake'

/** Latest times of a way to look at, and how many are needed to compare. */
const kept = 8
const needed = 3
/** Runs until the slower way is tried again: the fewest and the most. */
const soon = 8
const late = 64

export class ThreadChooser {
  /** What others do makes no difference to it. */
  readonly #alone = new Times()
  readonly #cases: Readonly<Record<Others, Case>> = { asleep: new Case(this.#alone), awake: new Case(this.#alone) }

  /** Milliseconds of one unit alone; undefined: not known yet. */
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
    else if (lost) one.interval = Math.min(2 * one.interval, late)
    else return
    one.wait = one.interval
  }
}

const opposite = { alone: 'together', together: 'alone' } as const

/** Runs with the other threads asleep, or awake. */
class Case {
  readonly together = new Times()
  /** Runs from one try of the slower way to the next, and those that are left. */
  interval = soon
  wait = soon

  constructor(readonly alone: Times) {}

  get known(): boolean {
    return Math.min(this.alone.count, this.together.count) >= needed
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
