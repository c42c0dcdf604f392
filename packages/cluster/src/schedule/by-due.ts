/**
 * The given blocks, sorted by their due time. It finds the last blocks to end among a thousand workers without looking at all of them.
 *
 * @module
 */
import type { Blocks } from '../wire/partition.ts'

/** Blocks of a worker: when it begins them, and when it should be done. */
export interface GivenBlocks extends Blocks {
  readonly worker: string
  readonly since: number
  readonly due: number
}

export class ByDue {
  readonly #sorted: GivenBlocks[]

  constructor(all: readonly GivenBlocks[]) {
    this.#sorted = all.toSorted((a, b) => a.due - b.due)
  }

  add(given: GivenBlocks): void {
    this.#sorted.splice(this.#firstFrom(given.due), 0, given)
  }

  /** Returns whether they were there. */
  remove(given: GivenBlocks): boolean {
    const at = this.#sorted.indexOf(given, this.#firstFrom(given.due))
    if (at >= 0) this.#sorted.splice(at, 1)
    return at >= 0
  }

  /** Does nothing if they are not there. */
  replace(given: GivenBlocks, next: GivenBlocks): void {
    if (this.remove(given)) this.add(next)
  }

  /**
   * The blocks of other workers that will end last. They are either due last, or overdue for longest.
   *
   * @param onWay milliseconds that a call and its results are on their way, besides the computing time
   */
  latest(
    except: string,
    now: number,
    onWay: number,
  ): { readonly given: GivenBlocks; readonly end: number } | undefined {
    const isOther = ({ worker }: GivenBlocks) => worker !== except
    const [overdue, last] = [this.#sorted.find(isOther), this.#sorted.findLast(isOther)]
    if (!overdue || !last) return undefined
    const [ofLast, ofOverdue] = [last, overdue].map((given) => expectedEnd(given, now, onWay)) as [number, number]
    return ofOverdue > ofLast ? { given: overdue, end: ofOverdue } : { given: last, end: ofLast }
  }

  /** The index of the first blocks that are due at this time or later. */
  #firstFrom(due: number): number {
    let [low, high] = [0, this.#sorted.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#sorted[middle] as GivenBlocks).due < due) low = middle + 1
      else high = middle
    }
    return low
  }
}

/**
 * When blocks will be done. Blocks are late if they are overdue by more than a quarter of their time and more than their way. Late blocks
 * are expected to take as long again.
 */
function expectedEnd({ due, since }: GivenBlocks, now: number, onWay: number): number {
  return now <= due + Math.max(onWay, (due - since) / 4) ? Math.max(due, now) : now + (now - since)
}
