/**
 * Chooses finished blocks for a second worker to compute again, because the first worker may lie. It takes the first block of every worker
 * in a run, and then a random share, so that nobody knows in advance which.
 *
 * @module
 */
import { independent } from '../wire/address.ts'
import type { Blocks } from '../wire/partition.ts'

export class Rechecks {
  /** Blocks that wait for a second worker, with their authors. */
  readonly #waiting = new Map<number, string>()
  /** Blocks that a second worker computes, with their authors. */
  readonly #given = new Map<number, { readonly author: string; readonly by: string }>()
  readonly #met = new Set<string>()
  /** Blocks that were compared. */
  compared = 0

  /** @param share of blocks, 0 to 1 @param random from 0 to 1 */
  constructor(
    readonly share: number,
    readonly random: () => number = Math.random,
  ) {}

  get finished(): boolean {
    return this.#waiting.size + this.#given.size === 0
  }

  /** Blocks that wait, with those who computed them. */
  get waiting(): ReadonlyMap<number, string> {
    return this.#waiting
  }

  /** Learns that a worker computed a block first. */
  hear(block: number, author: string): void {
    if (this.share === 0) return
    if (this.#met.has(author) && this.random() >= this.share) return
    this.#met.add(author)
    this.#waiting.set(block, author)
  }

  /** A block for a worker that neither computed it nor belongs to the same key as its author. */
  take(worker: string): Blocks | undefined {
    for (const [block, author] of this.#waiting) {
      if (!independent(author, worker)) continue
      this.#waiting.delete(block)
      this.#given.set(block, { author, by: worker })
      return { first: block, last: block + 1 }
    }
    return undefined
  }

  /** Notes that a block was compared. */
  finish(block: number): void {
    if (this.#given.delete(block) || this.#waiting.delete(block)) this.compared++
  }

  /** Takes back the block of a worker that is gone or refuses it. */
  release(worker: string): void {
    for (const [block, { author, by }] of this.#given)
      if (by === worker) {
        this.#given.delete(block)
        this.#waiting.set(block, author)
      }
  }

  /** Forgets the blocks of a worker, because its results were thrown away. */
  forget(author: string): void {
    for (const [block, of] of this.#waiting) if (of === author) this.#waiting.delete(block)
    for (const [block, { author: of }] of this.#given) if (of === author) this.#given.delete(block)
  }
}
