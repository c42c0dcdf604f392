/**
 * Yields items that arrive in groups, one after the other. An async generator would wait twice for each item. That takes longer than
 * reading a small item.
 *
 * @module
 */

/** A group. If reading failed behind its last item, it also has the error. */
export interface ItemGroup<T> {
  readonly items: readonly T[]
  readonly failure?: unknown
}

class Grouped<T> {
  readonly #groups: AsyncGenerator<ItemGroup<T>, void>
  #items: readonly T[] = []
  #at = 0
  #failure: { readonly error: unknown } | undefined
  /** The latest call that had to wait. */
  #waiting: Promise<unknown> | undefined

  constructor(groups: AsyncGenerator<ItemGroup<T>, void>) {
    this.#groups = groups
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<IteratorResult<T, void>> {
    if (this.#waiting === undefined && this.#at < this.#items.length)
      return Promise.resolve({ value: this.#items[this.#at++] as T, done: false })
    return this.#after(() => this.#load())
  }

  return(): Promise<IteratorResult<T, void>> {
    return this.#after(() => this.#end())
  }

  async throw(error: unknown): Promise<IteratorResult<T, void>> {
    await this.return()
    throw error
  }

  /** Each call waits for the calls before it. */
  #after<R>(work: () => Promise<R>): Promise<R> {
    const done = this.#waiting === undefined ? work() : this.#waiting.then(work, work)
    this.#waiting = done
    const ended = () => {
      if (this.#waiting === done) this.#waiting = undefined
    }
    done.then(ended, ended)
    return done
  }

  async #load(): Promise<IteratorResult<T, void>> {
    while (this.#at >= this.#items.length) {
      if (this.#failure) {
        const { error } = this.#failure
        await this.#end()
        throw error
      }
      const next = await this.#groups.next()
      if (next.done) return next
      this.#items = next.value.items
      this.#at = 0
      if ('failure' in next.value) this.#failure = { error: next.value.failure }
    }
    return { value: this.#items[this.#at++] as T, done: false }
  }

  async #end(): Promise<IteratorResult<T, void>> {
    this.#items = []
    this.#at = 0
    this.#failure = undefined
    await this.#groups.return()
    return { value: undefined, done: true }
  }
}

/** The items of all groups. */
export const grouped = <T>(groups: AsyncGenerator<ItemGroup<T>, void>): AsyncGenerator<T, void> =>
  new Grouped(groups) as unknown as AsyncGenerator<T, void>
